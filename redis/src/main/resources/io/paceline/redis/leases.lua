-- Leases and sessions: how they are kept, how they end, and what ends with them.

--# OCCUPIES, OF_SESSION, MIGRATED, COUNTED_SHARED = 1, 2, 4, 8
--# CONFIRMED, TOLD, ENDED, REPINNED, MOVED = 1, 2, 4, 8, 16
-- So many leases that have ended by themselves are cleared away in one step; the others wait for the next one.
--# MOST_ENDED = 100
--# MOST_REPORTS = 100000

-- ---- sessions: a string each, and in an index of its chain while it is live

local sessions = {}

local function over_by_time(session)
  return session.expires <= now
end

-- Nobody has reached the address and nobody is on the way: the key may be bound anew.
local function provisional(session)
  return not session.confirmed and not session.ended and not session.repinned and session.live <= 0
end

local function over(session)
  return over_by_time(session) or provisional(session)
end

local function save_session(session)
  local index = PREFIX .. 'i:' .. session.of
  if over(session) then
    call('ZREM', index, session.id)
    -- Of one that has moved, the next binding must still be told.
    if over_by_time(session) or not session.migrated then
      call('DEL', session.key)
      return
    end
  else
    call('ZADD', index, session.expires, session.id)
  end
  local flags = (session.confirmed and CONFIRMED or 0) + (session.told and TOLD or 0) + (session.ended and ENDED or 0)
    + (session.repinned and REPINNED or 0) + (session.migrated and MOVED or 0)
  call('SET', session.key, pack('<di4dBi4i4', session.expires, session.live, session.leases_until, flags, session.slot,
    session.born) .. session.chain .. session.generation, 'PX', ceil(max(session.expires - now, 0) / 1000) + 60000)
end

local function parse_session(of, id, raw)
  local expires, live, leases_until, flags, slot, born = read('<di4dBi4i4', raw)
  return {of = of, id = id, key = PREFIX .. 's:' .. of .. ':' .. id, expires = expires, live = live,
    leases_until = leases_until, confirmed = has(flags, CONFIRMED), told = has(flags, TOLD), ended = has(flags, ENDED),
    repinned = has(flags, REPINNED), migrated = has(flags, MOVED), slot = slot, born = born, chain = sub(raw, 30, 37),
    generation = sub(raw, 38, 45), save = save_session}
end

-- The record of a session, over or not; false where there is none.
local function record_of(of, id)
  local key = PREFIX .. 's:' .. of .. ':' .. id
  local session = sessions[key]
  if session == nil then
    local raw = call('GET', key)
    session = raw and parse_session(of, id, raw) or false
    sessions[key] = session
  end
  return session
end

local function live_session(of, id)
  local session = record_of(of, id)
  return session and not over(session) and session
end

-- Whether the slot's row still is that of the address the session was bound to, and in the list.
local function is_present(session)
  local row = address_of(chain_of(session.chain), session.slot)
  return row and row.born == session.born
end

-- ---- leases: a field each of one hash, and in a sorted set by their end. Beside the slot stands what its owner was then but
-- for the identity: tags and birth.
--# PLAIN = 73

local function parse_lease(id, raw)
  local granted, expires, flags, address_epoch, cell_epoch, slot = read('<ddBi4i4i4', raw)
  local lease = {id = id, granted = granted, expires = expires, flags = flags, address_epoch = address_epoch,
    cell_epoch = cell_epoch, slot = slot, kin = sub(raw, 30, 53), born = read('<i4', raw, 50), chain = sub(raw, 54, 61),
    target = sub(raw, 62, 69), marks = sub(raw, 70, 72)}
  local at = PLAIN
  if has(flags, OF_SESSION) then
    lease.session_of, lease.session_id, lease.generation = sub(raw, at, at + 7), sub(raw, at + 8, at + 23), sub(raw, at + 24, at + 31)
    at = at + 32
  end
  if has(flags, COUNTED_SHARED) then
    lease.owner = sub(raw, at, at + 7)
    at = at + 8
  end
  lease.paid = read_paid(raw, at)
  return lease
end

local function pack_lease(lease)
  return pack('<ddBi4i4i4', lease.granted, lease.expires, lease.flags, lease.address_epoch, lease.cell_epoch, lease.slot)
    .. lease.kin .. lease.chain .. lease.target .. lease.marks
    .. (lease.session_of and lease.session_of .. lease.session_id .. lease.generation or '') .. (lease.owner or '')
    .. pack_paid(lease.paid)
end

local function lease_of(id)
  local raw = call('HGET', LEASES, id)
  return raw and parse_lease(id, raw)
end

-- The session that the lease was granted to, unless the key has been bound anew since.
local function session_of(lease)
  local session = lease.session_of and record_of(lease.session_of, lease.session_id)
  return session and session.generation == lease.generation and session
end

-- The row that the lease was granted on; false where the slot has another owner.
local function address_of_lease(lease)
  local row = known(chain_of(lease.chain), lease.slot)
  return row and row.born == lease.born and row
end

-- Takes back what the lease occupies; the one place where counts of live leases fall.
local function release(lease, reached)
  call('HDEL', LEASES, lease.id)
  call('ZREM', ENDS, lease.id)
  if not has(lease.flags, OCCUPIES) then
    return
  end
  local row = address_of_lease(lease)
  if row then
    local cell = cell_of(chain_of(lease.chain), lease.slot, lease.target)
    row.live, row.revision = row.live - 1, row.revision + 1
    cell.live, cell.revision = cell.live - 1, cell.revision + 1
    touch(row)
    touch(cell)
  end
  if lease.owner then
    occupy_shared(lease.owner, lease.target, -1)
  end
  for i = 1, #lease.paid do
    if lease.paid[i].type == CONCURRENCY then
      local limit = limit_at(lease.paid[i].key)
      if limit.type == CONCURRENCY then
        limit.live = max(0, limit.live - 1)
        touch(limit)
      end
    end
  end
  local session = session_of(lease)
  if session then
    session.live = session.live - 1
    session.confirmed = session.confirmed or reached
    touch(session)
  end
end

-- What has ended by itself has ended before anything else is decided. Nobody knows whether the request reached its
-- address, so a session must be taken to have been seen there.
local function begin()
  -- Mostly there is nothing: to count it is cheaper than to list it.
  local ended = call('ZCOUNT', ENDS, '-inf', NOW) > 0 and call('ZRANGEBYSCORE', ENDS, '-inf', NOW, 'LIMIT', 0, MOST_ENDED) or {}
  for i = 1, #ended do
    local lease = lease_of(ended[i])
    if lease then
      release(lease, true)
      local row = address_of_lease(lease)
      if has(lease.flags, OCCUPIES) and row then
        local reports = PREFIX .. 'e:' .. lease.chain
        call('RPUSH', reports, lease.id .. lease.target .. pack('<i4i4i4', lease.slot, row.live, row.revision))
        call('LTRIM', reports, -MOST_REPORTS, -1)
        call('PEXPIRE', reports, KEPT_MILLIS)
      end
    else
      call('ZREM', ENDS, ended[i])
    end
  end
end
