-- Requests a different page with each request. The arguments are: a file with one value per line, and the path before and after the value.
-- `done` runs apart from the thread that sends the requests, so it asks this thread for the number of requests that it sent.
local sender

function setup(thread)
  sender = thread
end

function init(args)
  values = {}
  for line in io.lines(args[1]) do values[#values + 1] = line end
  before, after = args[2], args[3] or ''
  sent = 0
end

function request()
  sent = sent + 1
  return wrk.format(nil, before .. values[(sent - 1) % #values + 1] .. after)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = string.format('{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}',
    errors.connect, errors.read, errors.write, errors.status, errors.timeout)
  io.write(string.format('{"requests":%d,"bytes":%.0f,"seconds":%.6f,"failed":%s,"sent":%d}\n',
    summary.requests, summary.bytes, summary.duration / 1e6, failed, sender:get('sent')))
end
