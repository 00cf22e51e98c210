-- Gives a ticket back.
--
-- ARGV  1 ticket
begin()
local key = PREFIX .. 't:' .. ARGV[1]
local raw = call('GET', key)
if raw then
  local _, _, size = read('<ddI4', raw)
  call('DEL', key)
  refund(read_paid(raw, 21 + size))
end
flush()
return {raw and 1 or 0}
