-- The commands of an acquire with nothing decided between them: what is left to gain by better Lua. Same KEYS and ARGV.
local H, X = KEYS[1], KEYS[2]
redis.call('TIME')
local fields, base = { 'l' .. ARGV[1], 'l' }, 13 + 2 * ARGV[12]
for i = 1, ARGV[base] do
  fields[2 * i + 1] = 'a' .. ARGV[base + 3 * i - 2]
  fields[2 * i + 2] = 'c' .. ARGV[base + 3 * i - 2] .. '.' .. ARGV[3]
end
local v = redis.call('HMGET', H, unpack(fields))
redis.call('MGET', KEYS[3], KEYS[4], KEYS[5])
redis.call('SET', KEYS[4], '0123456789abcdef', 'PX', 60000)
redis.call('SET', KEYS[5], '0123456789ab', 'PX', 60000)
redis.call('HSET', H, fields[1], string.rep('x', 90), fields[3], v[3], fields[4], string.rep('x', 52))
redis.call('ZADD', X, 1700000000123456, fields[1])
return { 'G', fields[1] }
