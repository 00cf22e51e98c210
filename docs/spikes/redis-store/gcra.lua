-- One GCRA limit alone: the yardstick of run.sh.   KEYS 1 limit   ARGV interval burst cost
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local at = tat - (burst - cost) * interval
if at > now then return at end
tat = tat + cost * interval
redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.ceil((tat - now) / 1000) + 1)
return now
