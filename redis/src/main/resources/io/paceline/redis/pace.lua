-- A target's own pace, or a cell's pause: changed by compare-and-set on the epoch, or only read.
--
-- ARGV  1 key, or nothing for a cell  2 chain  3 slot  4 target  5 expected epoch  6 new row
local expected = tonumber(ARGV[5])
begin()

local function shift(pace)
  if pace.epoch ~= expected then
    return false
  end
  local epoch, since, blocked, step, wins, slow, peak, growth = read('<dddddddd', ARGV[6])
  if since ~= pace.since then
    pace.wins, pace.growth = wins, growth
  end
  pace.epoch, pace.since, pace.blocked, pace.step, pace.slow, pace.peak = epoch, since, blocked, step, slow, peak
  pace.shifted = now
  return true
end

local pace, applied
if ARGV[1] == '' then
  local chain, slot = chain_of(ARGV[2]), tonumber(ARGV[3])
  if not address_of(chain, slot) then
    flush()
    return {0, pace_row(pace_of(nil)), now}
  end
  local cell = cell_of(chain, slot, ARGV[4])
  local field = 'p' .. sub(cell.field, 2)
  local raw = call('HGET', chain.hash, field)
  pace = pace_of(raw and sub(raw, 9))
  applied = shift(pace)
  if applied then
    if not has(cell.marks, PAUSED) then
      cell.marks = cell.marks + PAUSED
      touch(cell)
    end
    put(chain.hash, field, (raw and sub(raw, 1, 8) or pack('<d', LONG_AGO)) .. pack_pace(pace))
  end
else
  local limit = limit_at(PREFIX .. 'r:' .. ARGV[1])
  if limit.type ~= PACE then
    fresh(limit, PACE)
  end
  pace = limit.pace
  applied = shift(pace)
  if applied then
    touch(limit)
  end
end
flush()
return {applied and 1 or 0, pace_row(pace), now}
