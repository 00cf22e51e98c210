-- A part of the whole table: addresses in the list, and cells that are not in service.
--
-- ARGV  1 chain  2 where to go on, 0 at the beginning
local chain = chain_of(ARGV[1])
begin()
flush()
local scanned = call('HSCAN', chain.hash, ARGV[2], 'COUNT', 500)
local answer = {scanned[1]}
for i = 1, #scanned[2], 2 do
  local field = scanned[2][i]
  local kind, slot = string.match(field, '^([ac])(%d+)')
  if kind == 'a' then
    local row = take_address(chain, tonumber(slot), scanned[2][i + 1])
    if not has(row.marks, REMOVED) then
      answer[#answer + 1] = {row.slot, '', raw_of(row)}
    end
  elseif kind == 'c' then
    local row = take_cell(chain, tonumber(slot), sub(field, -8), scanned[2][i + 1])
    if not has(row.flags, SERVES) then
      answer[#answer + 1] = {row.slot, row.target, raw_of(row)}
    end
  end
end
return answer
