-- Prints the result of a run as one line of JSON, after wrk's own lines.
function done(summary, latency)
  local errors = summary.errors
  local failed = string.format('{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}',
    errors.connect, errors.read, errors.write, errors.status, errors.timeout)
  io.write(string.format('{"requests":%d,"bytes":%.0f,"seconds":%.6f,"failed":%s}\n',
    summary.requests, summary.bytes, summary.duration / 1e6, failed))
end
