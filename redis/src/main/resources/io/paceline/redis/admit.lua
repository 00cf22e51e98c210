-- One admission: every limit, the session, caps and standing, and the lease, in one step. Answers begin with a code.
--
-- KEYS  ends of leases, then whatever the caller knows that will be read
-- ARGV  1 numbers, chain, target with its marks  2 ids, 8 octets each  3 candidates, 12 octets each  4 charges
--       and where anything of these is needed: 5 label of each charge, for tickets  6 ticket  7 session  8... windows of
--       each charge that is a calendar's
--# GRANTED, RESERVED, LATER, FULL, BUSY, SESSION_PAUSED, SESSION_BUSY, SESSION_MOVING, SESSION_ENDED, TICKET_GONE, TICKET_EARLY, AGAIN = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
--# SERVE, PROBE, PANIC = 0, 1, 2
--# END, PAUSE, MIGRATE = 0, 1, 2

local purpose, count, ttl, max_wait = read('<Bi4dd', ARGV[1])
local occupies = ttl > 0
local ids, chain, ticket_id = ARGV[2], chain_of(sub(ARGV[1], 22, 29)), ARGV[6] or ''
local target, target_marks = sub(ARGV[1], 30, 37), sub(ARGV[1], 38, 40)
local charges, calendar = {}, 8
for at = 1, #ARGV[4], CHARGE do
  local charge = parse_charge(sub(ARGV[4], at, at + CHARGE - 1), ARGV[calendar])
  charges[#charges + 1] = charge
  calendar = charge.bounds and calendar + 1 or calendar
end
for i = 1, #charges do
  local bounds = charges[i].bounds
  if bounds and (now < bounds[1] or now >= bounds[4]) then
    return {AGAIN, now}
  end
end

local claim
local raw = ARGV[7]
if raw and raw ~= '' then
  local claim_ttl, sliding, on_death, lost_after = read('<dBBd', raw)
  claim = {of = sub(raw, 19, 26), id = sub(raw, 27, 42), ttl = claim_ttl, sliding = sliding == 1, on_death = on_death,
    lost_after = lost_after, caps = sub(raw, 43)}
end

local candidates = {}
for i = 1, #ARGV[3] / 12 do
  local slot, cap, cell_cap = read('<i4i4i4', ARGV[3], 12 * i - 11)
  candidates[i] = {slot = slot, cap = cap, cell_cap = cell_cap}
end

-- By charge, the limit; nil where it is that of an address, and no address is taken yet.
local limit_of = {}
-- By charge, its key: of an address, where the session is bound to one.
local key_of = {}
-- Candidates that only a limit of their own holds back.
local held, held_binding, held_until, hinting, hinting_charge, hinting_at, hint_at = {}, nil, nil, nil, nil, nil, nil
-- The address that the session is bound to, for charges that name it: chain and identity; else nil.
local bound_at

local function place_of(charge, row)
  return charge.per_address and sub(row.hash, -8) .. sub(row.owner, 1, 8) or ''
end

local function key_at(charge, row)
  return PREFIX .. 'r:' .. charge.key .. place_of(charge, row)
end

local function reason_of(limit, charge)
  return charge.type == PACE and pace_reason(limit.pace, charge) or 0
end

local function full(index, limit, at, told_hint)
  if at == UNKNOWN then
    return {FULL, now, index, 0, -1, -1, bound_at or ''}
  end
  return {FULL, now, index, reason_of(limit, charges[index]), at, told_hint or tell_hint(limit, at, charges[index]), bound_at or ''}
end

-- ---- grants

local function grant_of(lease, row)
  return pack('<c8i4i4i4ddB', lease.chain, lease.slot, row.live, row.revision, lease.granted, lease.expires,
    has(lease.flags, MIGRATED) and 1 or 0)
end

local function ticket_key(id)
  return PREFIX .. 't:' .. id
end

-- A ticket: its time, until when, which charge binds, that charge's label, and what was paid.
local function read_ticket(id)
  local raw = call('GET', ticket_key(id))
  if not raw then
    return nil
  end
  local at, use_by, size = read('<ddI4', raw)
  return {at = at, use_by = use_by, label = sub(raw, 21, 20 + size), paid = read_paid(raw, 21 + size)}
end

local function first_answer()
  local ticket = max_wait > 0 and read_ticket(sub(ids, 1, 8))
  if ticket then
    return {RESERVED, now, ticket.label, ticket.at, ticket.use_by}
  end
  local lease = lease_of(sub(ids, 1, 8))
  if not lease then
    return nil
  end
  local grants = {}
  for i = 1, count do
    if i > 1 then
      lease = lease_of(sub(ids, 8 * i - 7, 8 * i))
    end
    if not lease then
      break
    end
    -- A permit that needs no release keeps nobody from taking its slot.
    grants[i] = grant_of(lease, address_of_lease(lease) or {live = 0, revision = 0})
  end
  return {GRANTED, now, {}, {}, pack('<d', now) .. table.concat(grants)}
end

-- ---- time

local function find_limits(address)
  for i = 1, #charges do
    local charge = charges[i]
    if charge.per_address then
      key_of[i] = address and key_at(charge, address)
    else
      key_of[i] = PREFIX .. 'r:' .. charge.key
    end
  end
  local missing = {}
  for i = 1, #charges do
    if key_of[i] and not limits[key_of[i]] then
      missing[#missing + 1] = key_of[i]
    end
  end
  if #missing > 0 then
    local raws = call('MGET', unpack(missing))
    for i = 1, #missing do
      limits[missing[i]] = parse_limit(missing[i], raws[i])
    end
  end
  for i = 1, #charges do
    limit_of[i] = key_of[i] and limit_for(charges[i], key_of[i]) or nil
  end
end

local function charge_one(i, limit, at, paid)
  local charge = charges[i]
  -- A ticket pays at an address only where its session is bound to one.
  paid[#paid + 1] = {mark = take(limit, at, charge), raw = charge.raw, place = charge.per_address and bound_at or ''}
end

-- One slow narrow limit must not push a wide one's clock ahead for everybody: then nothing is reserved. Nor is a target's
-- own pace, ever: what is reserved under one pace would still be started after the target has asked for another.
local function reserve(binding, at)
  local charge, limit = charges[binding], limit_of[binding]
  if charge.type == PACE then
    local told = pace_interval(limit.pace, charge) > 0 and tell_hint(limit, at, charge) or at
    return {LATER, now, binding, reason_of(limit, charge), told, bound_at or ''}
  end
  local paying = {}
  for i = 1, #charges do
    local own = charges[i]
    if not own.dry and own.type ~= CONCURRENCY and own.type ~= PACE and limit_of[i] then
      paying[#paying + 1] = i
      if at - start_at(limit_of[i], own) > own.cost * hint_interval(own.type, own.a, own.b) then
        return {LATER, now, binding, 0, at, bound_at or ''}
      end
    end
  end
  local paid, labels = {}, ARGV[5]
  for i = 1, #paying do
    charge_one(paying[i], limit_of[paying[i]], at, paid)
  end
  local place = 1
  for _ = 2, binding do
    place = place + 4 + read('<I4', labels, place)
  end
  local at_address = bound_at or ''
  local label = char(#at_address) .. at_address .. sub(labels, place + 4, place + 3 + read('<I4', labels, place))
  local use_by = at + TICKET_GRACE
  call('SET', ticket_key(sub(ids, 1, 8)), pack('<ddI4', at, use_by, #label) .. label .. pack_paid(paid),
    'PX', ceil((use_by - now) / 1000) + 60000)
  return {RESERVED, now, label, at, use_by}
end

-- Whether every limit has room now; if not, what is to be answered. Reserves where that is wanted and sound.
local function time()
  local binding, impatient, at = nil, false, now
  for i = 1, #charges do
    local charge, limit = charges[i], limit_of[i]
    if not charge.dry and limit then
      local own = start_at(limit, charge)
      if own > at then
        at, binding = own, i
      end
      if own > now and (own == UNKNOWN or own - now > min(charge.wait, max_wait)) then
        impatient = true
      end
    end
  end
  if not binding then
    return nil
  end
  if impatient or at == UNKNOWN then
    return full(binding, limit_of[binding], at)
  end
  return reserve(binding, at)
end

local ticket

local function paid_by_ticket(i)
  if ticket and charges[i].type ~= CONCURRENCY and not charges[i].dry then
    for j = 1, #ticket.paid do
      if ticket.paid[j].key == key_of[i] then
        return ticket.paid[j]
      end
    end
  end
  return nil
end

-- A ticket has paid its rate limits; what is live is counted now, and so is what a reload has added since.
local function redeemable()
  ticket = read_ticket(ticket_id)
  if not ticket or ticket.use_by < now then
    return {TICKET_GONE, now}
  end
  if now < ticket.at then
    return {TICKET_EARLY, now, ticket.label, ticket.at}
  end
  for i = 1, #charges do
    local charge, limit = charges[i], limit_of[i]
    if not charge.dry and limit and not paid_by_ticket(i) then
      local at = start_at(limit, charge)
      if at > now then
        return full(i, limit, at)
      end
    end
  end
  return nil
end

local function time_or_ticket()
  if ticket_id == '' then
    return time()
  end
  return redeemable()
end

local function room_for_one_more()
  if ticket_id ~= '' then
    return false
  end
  for i = 1, #charges do
    if not charges[i].dry and limit_of[i] and start_at(limit_of[i], charges[i]) > now then
      return false
    end
  end
  return true
end

-- ---- addresses

local function note(slot, i, limit, at)
  held[slot] = true
  if not held_binding or at < held_until then
    held_binding, held_until = {i, at == UNKNOWN and 0 or reason_of(limit, charges[i])}, at
  end
  if at ~= UNKNOWN then
    local next_at = next_hint(limit, at, charges[i])
    if not hinting or next_at < hint_at then
      hinting, hinting_charge, hinting_at, hint_at = limit, {i, reason_of(limit, charges[i])}, at, next_at
    end
  end
end

local pauses = {}

-- The pause of a cell alone, as if it were a limit; nil where there never was one.
local function pause_of(cell)
  if not cell or not has(cell.marks, PAUSED) then
    return nil
  end
  local pause = pauses[cell.field]
  if not pause then
    local hash, field = cell.hash, 'p' .. sub(cell.field, 2)
    local raw = call('HGET', hash, field)
    pause = {type = PACE, near = false, hint = raw and read('<d', raw) or LONG_AGO, pace = pace_of(raw and sub(raw, 9)),
      save = function(self)
        put(hash, field, pack('<d', self.hint) .. pack_pace(self.pace))
      end}
    pauses[cell.field] = pause
  end
  return pause
end

-- Whether the limits that name the address have room on this one; notes when they will where they have not.
local function has_room(row, cell)
  local at, binding, slowest = now, nil, nil
  for i = 1, #charges do
    local charge, limit = charges[i], nil
    if charge.type == PACE then
      limit = pause_of(cell)
    elseif charge.per_address then
      limit = limit_for(charge, key_at(charge, row))
    end
    if limit and not charge.dry then
      local own = start_at(limit, charge)
      if own > at then
        at, binding, slowest = own, i, limit
      end
    end
  end
  if not binding then
    return true
  end
  note(row.slot, binding, slowest, at)
  return false
end

-- At least one of the two is out, and neither is beyond panic's reach.
local function panics(flags, cell_flags)
  local serves, cell_serves = has(flags, SERVES), has(cell_flags, SERVES)
  return not (serves and cell_serves) and (serves or has(flags, IN_PANIC)) and (cell_serves or has(cell_flags, IN_PANIC))
end

local function is_free(row, cell, cap, cell_cap)
  local room = live_on(row) < cap
  local cell_flags = cell and cell.flags or FRESH_FLAGS
  local cell_serves = has(cell_flags, SERVES)
  local cell_room = live_on_target(row, cell, target) < cell_cap
  if purpose == SERVE then
    return room and cell_room and cell_serves and has(row.flags, SERVES)
  elseif purpose == PANIC then
    return room and cell_room and panics(row.flags, cell_flags)
  end
  -- A probe is the only lease on what is half-open; the other of the two must serve.
  return has(row.flags, HALF_OPEN) and row.live == 0 and room and cell_serves
    or cell and has(cell_flags, HALF_OPEN) and cell.live == 0 and has(row.flags, SERVES) and room or false
end

-- A half-open address that somebody is probing: a lease would be a second test at once.
local function under_probe(row)
  local raw = has(row.flags, HALF_OPEN) and call('HGET', chain.hash, 'b' .. row.slot)
  return raw and read('<d', raw) > now
end

local loaded = 0

-- Rows of candidates are read the first alone, then all the others at once: mostly the first is free.
local function load_candidates(upto)
  local fields, of = {}, {}
  for i = loaded + 1, upto do
    local slot = candidates[i].slot
    if chain.rows[slot] == nil or chain.cells['c' .. slot .. ':' .. target] == nil then
      fields[#fields + 1] = 'a' .. slot
      fields[#fields + 1] = 'c' .. slot .. ':' .. target
      of[#of + 1] = slot
    end
  end
  loaded = max(loaded, upto)
  if #of > 0 then
    local raws = call('HMGET', chain.hash, unpack(fields))
    for i = 1, #of do
      if chain.rows[of[i]] == nil then
        take_address(chain, of[i], raws[2 * i - 1])
      end
      if chain.cells[fields[2 * i]] == nil then
        take_cell(chain, of[i], target, raws[2 * i])
      end
    end
  end
end

-- The row of the first candidate that may be leased, and its cell; nil where there is none.
local function first_free(left)
  held, held_binding, hinting, hinting_charge = {}, nil, nil, nil
  for i = 1, #candidates do
    local candidate = candidates[i]
    if i > loaded then
      load_candidates(i == 1 and 1 or #candidates)
    end
    local row = address_of(chain, candidate.slot)
    local is_left = row and left and left.chain == chain.id and left.slot == row.slot and left.born == row.born
    if row and not is_left and not (purpose == PROBE and under_probe(row)) then
      local cell = cell_if_known(chain, candidate.slot, target)
      if is_free(row, cell, candidate.cap, candidate.cell_cap) and has_room(row, cell) then
        return row, cell or cell_of(chain, candidate.slot, target)
      end
    end
  end
  return nil
end

local function busy()
  if loaded < #candidates then
    load_candidates(#candidates)
  end
  local rows = {}
  for i = 1, #candidates do
    local slot = candidates[i].slot
    local row = address_of(chain, slot)
    if row and not held[slot] then
      local cell = cell_if_known(chain, slot, target)
      rows[#rows + 1] = {slot, raw_of(row), cell and raw_of(cell) or '', live_on(row), live_on_target(row, cell, target)}
    end
  end
  local limited = ''
  if held_binding and not hinting then
    limited = {held_binding[1], held_binding[2], -1, -1}
  elseif held_binding then
    limited = {held_binding[1], held_binding[2], held_until, tell_hint(hinting, hinting_at, charges[hinting_charge[1]])}
  end
  return {BUSY, now, rows, limited, bound_at or ''}
end

-- ---- sessions

local function caps_in(id)
  local first_cap, first_cell = read('<i4i4', claim.caps, 9)
  for at = 17, #claim.caps, 16 do
    if sub(claim.caps, at, at + 7) == id then
      return read('<i4i4', claim.caps, at + 8)
    end
  end
  return first_cap, first_cell
end

local function row_of(session)
  return known(chain_of(session.chain), session.slot)
end

local function cell_of_session(session)
  return cell_if_known(chain_of(session.chain), session.slot, target)
end

local function session_serves(session)
  local cell = cell_of_session(session)
  return is_present(session) and has(row_of(session).flags, SERVES_SESSIONS)
    and (not cell or has(cell.flags, SERVES_SESSIONS))
end

local function out_too_long(row)
  return not has(row.flags, FIT) and now - row.out_since > claim.lost_after
end

local function lost(session)
  if not is_present(session) then
    return true
  end
  local row, cell = row_of(session), cell_of_session(session)
  return has(row.flags, GONE) or cell and has(cell.flags, GONE) or out_too_long(row) or cell and out_too_long(cell)
end

local function names_another(session)
  if chain.id ~= session.chain then
    return #candidates > 0
  end
  for i = 1, #candidates do
    if candidates[i].slot ~= session.slot then
      return true
    end
  end
  return false
end

-- Whether the next request of the session goes to another address.
local function leaves(session)
  if session.repinned then
    return not session_serves(session) or names_another(session)
  end
  return claim.on_death == MIGRATE and (session.ended or lost(session))
end

local function use(session)
  if claim.sliding then
    session.expires = now + claim.ttl
    touch(session)
  end
end

local function back_at(session)
  if not is_present(session) then
    return 0
  end
  local row, cell = row_of(session), cell_of_session(session)
  return (has(row.flags, SERVES_SESSIONS) and cell or row).back
end

-- Why the session's address cannot serve; nil where it does. What is paused stays alive by being asked for.
local function unable(session, leaving)
  if leaving then
    if session.live == 0 then
      return nil
    end
    return {SESSION_MOVING, now, session.chain, session.leases_until}
  end
  local is_lost = lost(session)
  if claim.on_death == END and (session.ended or is_lost) then
    session.ended = true
    touch(session)
    return {SESSION_ENDED, now}
  end
  if not is_lost and session_serves(session) then
    return nil
  end
  use(session)
  return {SESSION_PAUSED, now, session.slot, back_at(session)}
end

local function bind(row, left)
  local before = left
  if not before then
    local record = record_of(claim.of, claim.id)
    before = record and record.migrated and not over_by_time(record) and record
  end
  local key = PREFIX .. 's:' .. claim.of .. ':' .. claim.id
  local session = {of = claim.of, id = claim.id, key = key, live = 0, leases_until = 0, slot = row.slot, born = row.born,
    expires = before and not claim.sliding and before.expires or now + claim.ttl, chain = chain.id,
    generation = sub(ids, 1, 8), migrated = before and true or false, confirmed = false, told = false, ended = false,
    repinned = false, save = save_session}
  if sessions[key] then
    sessions[key].save = function() end
  end
  sessions[key] = session
  touch(session)
  return session
end

-- The row of a session's address where it may have one lease more, and its cell; nil where it may not.
local function free_for(session, at_address)
  local own, cap, cell_cap = chain_of(session.chain), caps_in(session.chain)
  local row, cell = row_of(session), cell_of_session(session)
  if live_on(row) < cap and live_on_target(row, cell, target) < cell_cap and (at_address or has_room(row, cell)) then
    return row, cell_of(own, session.slot, target)
  end
  return nil
end

-- That only a pause of its own cell keeps a bound session away; nil where none does.
local function paused_at(session)
  local pause = pause_of(cell_of_session(session))
  if pause and pause.pace.blocked > now then
    for i = 1, #charges do
      if charges[i].type == PACE then
        local at = start_at(pause, charges[i])
        local reason = reason_of(pause, charges[i])
        return {BUSY, now, {}, {i, reason, at, tell_hint(pause, at, charges[i])}, bound_at or ''}
      end
    end
  end
  return nil
end

-- ---- grants

local dry_refusals, near_limits = {}, {}

local function grant(i, own, row, cell, session)
  local id, paid = sub(ids, 8 * i - 7, 8 * i), {}
  for j = 1, #charges do
    local charge = charges[j]
    local limit = limit_of[j] or limit_for(charge, key_at(charge, row))
    local before = paid_by_ticket(j)
    if before then
      paid[j] = before
    else
      local mark = 0
      local refused = charge.dry and start_at(limit, charge) > now
      if refused then
        dry_refusals[#dry_refusals + 1] = j
      end
      if charge.type == CONCURRENCY then
        if occupies then
          mark = take(limit, now, charge)
          if comes_near(limit, charge) and not charge.low then
            near_limits[#near_limits + 1] = j
          end
        end
      elseif not refused then
        mark = take(limit, now, charge)
        if comes_near(limit, charge) and not charge.low then
          near_limits[#near_limits + 1] = j
        end
      end
      paid[j] = {mark = mark, raw = charge.raw, place = place_of(charge, row)}
    end
  end
  if ticket then
    call('DEL', ticket_key(ticket_id))
    ticket = nil
  end
  local migrated = session and session.migrated and not session.told
  local shared = occupies and has(row.marks, SHARED) and sub(row.owner, 1, 8) or nil
  local lease = {id = id, granted = now, expires = now + (occupies and ttl or REPEAT), slot = row.slot, kin = sub(row.owner, 9, 32),
    flags = (occupies and OCCUPIES or 0) + (session and OF_SESSION or 0) + (migrated and MIGRATED or 0)
      + (shared and COUNTED_SHARED or 0),
    address_epoch = row.epoch, cell_epoch = cell.epoch, chain = own.id, target = target, marks = target_marks, paid = paid,
    owner = shared}
  if session then
    lease.session_of, lease.session_id, lease.generation = session.of, session.id, session.generation
  end
  if occupies then
    row.live, row.revision, row.used = row.live + 1, row.revision + 1, now
    cell.live, cell.revision, cell.used = cell.live + 1, cell.revision + 1, now
    touch(row)
    touch(cell)
    if shared then
      occupy_shared(shared, target, 1)
    end
    if session then
      session.leases_until = session.live == 0 and lease.expires or max(session.leases_until, lease.expires)
      session.live = session.live + 1
      touch(session)
    end
  elseif session then
    session.confirmed, session.told = true, true
    touch(session)
  end
  put(LEASES, id, pack_lease(lease))
  call('ZADD', ENDS, lease.expires, id)
  return grant_of(lease, row)
end

-- Grants as many as there is room for; for a session all of them from one address.
local function grant_all(bound, left)
  local grants, session = {}, bound
  for i = 1, count do
    if i > 1 and not room_for_one_more() then
      break
    end
    local row, cell
    if session then
      row, cell = free_for(session, bound)
    else
      row, cell = first_free(left)
    end
    if not row then
      break
    end
    local own = session and chain_of(session.chain) or chain
    if not session and claim then
      session = bind(row, left)
    end
    grants[i] = grant(i, own, row, cell, session)
  end
  if #grants == 0 then
    if bound then
      return {SESSION_BUSY, now, bound.chain, bound.slot}
    end
    return busy()
  end
  if bound then
    use(bound)
    bound.repinned = false -- nobody else could serve
    touch(bound)
  end
  return {GRANTED, now, dry_refusals, near_limits, pack('<d', now) .. table.concat(grants)}
end

-- A session that cannot serve is told before any limit is looked at, a busy address after all of them.
local function decide()
  local first = first_answer()
  if first then
    return first
  end
  local bound = claim and live_session(claim.of, claim.id) or nil
  local leaving = bound and leaves(bound)
  local kept = not leaving and bound or nil
  if kept then
    local row = row_of(kept)
    for i = 1, #charges do
      if charges[i].per_address and row then
        bound_at = kept.chain .. sub(row.owner, 1, 8)
      end
    end
    find_limits(row)
  else
    find_limits(nil)
  end
  local refused = bound and unable(bound, leaving) or time_or_ticket() or kept and paused_at(kept)
  return refused or grant_all(kept, leaving and bound or nil)
end

begin()
local answer = decide()
flush()
return answer
