-- Evidence without a lease.
--
-- ARGV  1 chain  2 slot  3 target with its marks  4 address  5 cell
local chain, slot, target, mark = chain_of(ARGV[1]), tonumber(ARGV[2]), sub(ARGV[3], 1, 8), sub(ARGV[3], 9, 9)
local on_address, on_cell = tonumber(ARGV[4]), tonumber(ARGV[5])

begin()
local row = address_of(chain, slot)
if not row then
  flush()
  return {0, now}
end
observe(row, mark, on_address, -1)
local cell = on_cell ~= NONE and cell_of(chain, slot, target)
if cell then
  observe(cell, mark, on_cell, -1)
end
flush()
return {1, now, raw_of(row), cell and raw_of(cell) or '', tonumber(call('HGET', chain.hash, 'm') or 0)}
