-- Prints the result of a run as one line of JSON, after wrk's own lines. With a time in seconds as its argument, it requests other times before it with each request.
local before, sent = nil, 0

function init(args)
  before = tonumber(args[1])
end

function request()
  if before == nil then return wrk.format() end
  sent = sent + 1
  return wrk.format(nil, wrk.path .. '?from=' .. os.date('!%Y-%m-%dT%H:%M:%SZ', before - sent))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = string.format('{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}',
    errors.connect, errors.read, errors.write, errors.status, errors.timeout)
  io.write(string.format('{"requests":%d,"bytes":%.0f,"seconds":%.6f,"failed":%s}\n',
    summary.requests, summary.bytes, summary.duration / 1e6, failed))
end
