-- GETs in absolute form, which wrk does not send by itself: the first argument is the URL.
local raw

function init(args)
  local host = string.match(args[1], "^http://([^/]+)")
  raw = "GET " .. args[1] .. " HTTP/1.1\r\nHost: " .. host .. "\r\nUser-Agent: bench\r\n\r\n"
end

function request()
  return raw
end
