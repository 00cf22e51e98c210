-- The end of a lease, once, and what it says.
--
-- ARGV  1 numbers (end as granted, address, cell, sign, latency, reached, refund)  2 id
--# UNKNOWN_LEASE, RELEASED, EXPIRED, ALREADY = 0, 1, 2, 3
local expires, on_address, on_cell, sign, latency, reached, refunds = read('<dBBBdBB', ARGV[1])
reached, refunds = reached == 1, refunds == 1

local function add(lease, chain, row, cell)
  local mark, target_mark = sub(lease.marks, 1, 1), read('<H', lease.marks, 2)
  of_address_epoch(cell, row.epoch)
  local good = is_good(row) and is_good(cell)
  local failed = sign >= UNREACHED
  local excuse = failed and excused(chain, row, lease.target)
  local signal = excuse
  if not excuse then
    signal = observe(row, mark, on_address, latency)
    signal = observe(cell, mark, on_cell, latency) or signal
  end
  if sign == SIGN_SUCCESS and latency >= 0 then
    took(row, latency, relative_latency(tally_of(chain, lease.target), latency))
  end
  local burst = failed and not signal and on_cell ~= NONE
  if sign ~= NO_SIGN and not burst and has(row.flags, SERVES) and has(cell.flags, SERVES) and may_be_counted(cell) then
    counted(row, failed)
    counted(cell, failed)
    add_all(chain, row, lease.target, target_mark, sign, good)
  end
  if failed or guilty_count(chain) > 0 then
    return told(chain, row, lease.target)
  end
  return {}
end

-- The pace that a lease was charged to, and the pause of its cell, where a request granted since the last step had success.
local function won(holder, pace, granted)
  if pace.step > 0 and granted > pace.since then
    pace.wins = pace.wins + 1
    touch(holder)
  end
end

local function pace_paid(paid)
  for i = #paid, 1, -1 do
    if paid[i].type == PACE then
      local limit = limit_at(paid[i].key)
      return limit.type == PACE and limit or nil
    end
  end
  return nil
end

local function won_at_cell(chain, cell, granted)
  if has(cell.marks, PAUSED) then
    local field = 'p' .. sub(cell.field, 2)
    local raw = call('HGET', chain.hash, field)
    if raw then
      local pace = pace_of(sub(raw, 9))
      won({save = function()
        put(chain.hash, field, sub(raw, 1, 8) .. pack_pace(pace))
      end}, pace, granted)
    end
  end
end

local function settle()
  local lease = lease_of(ARGV[2])
  local row = lease and address_of_lease(lease)
  if lease and not row then
    release(lease, reached)
  end
  if not row then
    return {now < expires and ALREADY or EXPIRED, now}
  end
  local chain = chain_of(lease.chain)
  local cell = cell_of(chain, lease.slot, lease.target)
  local trained = lease.address_epoch == row.epoch and lease.cell_epoch == cell.epoch
  release(lease, reached)
  local session = reached and session_of(lease)
  if session then
    session.told = true
    touch(session)
  end
  if refunds then
    refund(lease.paid)
  end
  local seen = trained and add(lease, chain, row, cell) or {}
  local pace = pace_paid(lease.paid)
  local success = on_cell == SUCCESS
  if success then
    if pace then
      won(pace, pace.pace, lease.granted)
    end
    won_at_cell(chain, cell, lease.granted)
  end
  return {RELEASED, now, trained and 1 or 0, raw_of(row), raw_of(cell), seen,
    tonumber(call('HGET', chain.hash, 'm') or 0), not success and pace and pace_row(pace.pace) or '', lease.granted}
end

begin()
local answer = settle()
flush()
return answer
