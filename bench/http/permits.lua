-- One acquire and its release in turn, on connections that are kept. Against the echo the same bodies go out and come
-- back, so that both sides cost wrk alike.
local target = '{"target":"https://www.shop1.example/product/1","client_id":"crawler-1"}'
local mode
local leases = {}
local turn = 0

function init(args)
  mode = args[1]
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  if mode == "echo" then
    turn = 1 - turn
    if turn == 0 then
      return wrk.format(nil, "/release", nil, '{"lease":"l_0123456789abcdef0123456789abcdef","outcome":"success","latency_ms":180}')
    end
    return wrk.format(nil, "/acquire", nil, target)
  end
  local lease = table.remove(leases)
  if lease then
    return wrk.format(nil, "/release", nil, '{"lease":"' .. lease .. '","outcome":"success","latency_ms":180}')
  end
  return wrk.format(nil, "/acquire", nil, target)
end

function response(status, headers, body)
  local lease = string.match(body, '"lease":"([^"]+)"')
  if lease and mode ~= "echo" then
    leases[#leases + 1] = lease
  end
end
