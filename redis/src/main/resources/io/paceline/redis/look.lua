-- The rows of one address, and who is guilty of those that concern it.
--
-- ARGV  1 chain  2 slot  3 targets, 8 octets each
local chain, slot = chain_of(ARGV[1]), tonumber(ARGV[2])
begin()
flush()
local row = address_of(chain, slot)
if not row then
  return {}
end
local cells, guilty, ids = {}, {}, {POOL, sub(row.owner, 9, 16), sub(row.owner, 17, 24)}
for at = 1, #ARGV[3], 8 do
  local target = sub(ARGV[3], at, at + 7)
  local cell = cell_if_known(chain, slot, target)
  if cell then
    cells[#cells + 1] = {target, raw_of(cell)}
  end
  ids[#ids + 1] = target
end
if guilty_count(chain) > 0 then
  for i = 1, #ids do
    local tally = tally_if_known(chain, ids[i])
    if tally and tally.guilty ~= 0 then
      guilty[#guilty + 1] = {ids[i], tally.guilty}
    end
  end
end
return {raw_of(row), cells, guilty}
