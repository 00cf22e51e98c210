-- Hands out what is due, each item to one caller: expired leases are removed, waits and probes are lent for a while.
--
-- KEYS 1 chain hash   2 :x zset      ARGV max lendMicros
-- Answers  {now, next deadline or -1, {field row}..}
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local items = {}
for _, field in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[1])) do
  local row = redis.call('HGET', KEYS[1], field)
  if string.sub(field, 1, 1) == 'l' then
    redis.call('HDEL', KEYS[1], field)
    redis.call('ZREM', KEYS[2], field)
  else
    redis.call('ZADD', KEYS[2], now + tonumber(ARGV[2]), field)
  end
  items[#items + 1] = { field, row or '' }
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local deadline = first[2] and tonumber(first[2]) or -1
if deadline == math.huge then deadline = -1 end
return { now, deadline, items }
