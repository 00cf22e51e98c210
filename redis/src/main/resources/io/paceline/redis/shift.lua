-- Changes a standing by compare-and-set, within a budget.
--
-- ARGV  1 chain  2 slot  3 target, or nothing for the address as a whole  4 standing expected  5 new standing
--       6 budget (share, floor)
--# APPLIED, CAPPED, STALE, VANISHED = 1, 2, 3, 4
local chain, slot = chain_of(ARGV[1]), tonumber(ARGV[2])
local max_share, min_in_service = read('<dd', ARGV[6])

local function take_standing(row)
  local before, state = row.epoch, sub(row.head, STATE_AT, STATE_AT)
  judge(row, ARGV[5])
  local e = evidence_of(row)
  if row.epoch ~= before then
    forget(row)
  end
  if row.owner and sub(ARGV[5], STATE_AT, STATE_AT) ~= state then
    clear_latencies(e, false)
  end
  e.wins = 0
  row.revision = row.revision + 1
end

local function shift()
  local row = address_of(chain, slot)
  if not row then
    return {VANISHED}
  end
  local subject = ARGV[3] == '' and row or cell_of(chain, slot, ARGV[3])
  if (subject.head == '' and FRESH_CELL or subject.head) ~= ARGV[4] then
    return {STALE, raw_of(subject)}
  end
  local serves_after = has(read('<H', ARGV[5]), SERVES)
  if has(subject.flags, SERVES) and not serves_after and not allows(chain, subject, row, max_share, min_in_service) then
    return {CAPPED}
  end
  if subject == row then
    change_address(chain, row, take_standing)
  else
    change_cell(chain, subject, row, take_standing)
  end
  await(chain, subject)
  announce(chain, subject)
  return {APPLIED, raw_of(subject), chain.version}
end

begin()
local answer = shift()
flush()
publish(chain)
return answer
