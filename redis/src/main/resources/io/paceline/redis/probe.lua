-- Claims an active probe.
--
-- ARGV  1 chain  2 slot  3 claimer  4 idle and hold
local chain, slot = chain_of(ARGV[1]), tonumber(ARGV[2])
local idle, hold = read('<dd', ARGV[4])
begin()
local row = address_of(chain, slot)
local held = row and call('HGET', chain.hash, 'b' .. slot)
local answer = 0
if row and row.live == 0 and not (held and read('<d', held) > now and sub(held, 9) ~= ARGV[3]) then
  if has(row.flags, SERVES) and now - row.used >= idle or has(row.flags, HALF_OPEN) then
    put(chain.hash, 'b' .. slot, pack('<d', now + hold) .. ARGV[3])
    answer = 1
  end
end
flush()
return {answer}
