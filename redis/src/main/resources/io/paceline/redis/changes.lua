-- What changed since a version. Too much, and the caller reads everything by itself: this only tells it to.
--
-- ARGV  1 chain  2 since  3 most
local chain, since, most = chain_of(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
begin()
flush()
local version = tonumber(call('HGET', chain.hash, 'v') or 0)
if since < version - FEED + 1 or since > version then
  return {version, 1}
end
local items = call('ZRANGEBYSCORE', PREFIX .. 'v:' .. chain.id, string.format('(%.0f', since), '+inf', 'WITHSCORES', 'LIMIT', 0, most)
local answer = {version, 0}
if #items == 2 * most then
  answer[1] = tonumber(items[#items])
end
for i = 1, #items, 2 do
  local kind, slot = string.match(items[i], '^([ac])(%d+)')
  slot = tonumber(slot)
  local row = kind == 'a' and address_of(chain, slot)
  if kind == 'c' then
    row = cell_if_known(chain, slot, sub(items[i], -8))
  end
  answer[#answer + 1] = {slot, kind == 'c' and sub(items[i], -8) or '', address_of(chain, slot) and 0 or 1,
    row and raw_of(row) or ''}
end
return answer
