-- The usual admission, decided before the common parts are even defined: permits to serve, no session, no ticket, no lease
-- that has just ended, candidates that are in one pool only, limits that have room for all of the permits and are GCRA,
-- concurrency or a pace without bounds. It does just what admit.lua would, and the differential test holds it to that;
-- whatever is not usual falls through, with nothing written.
do
  local purpose, count, ttl, max_wait, chain, target = read('<Bi4ddc8c8', ARGV[1])
  local ids, charged = ARGV[2], ARGV[4]
  local usual = purpose == SERVE and ttl > 0 and not ARGV[6]
  local charges, keys = #charged / CHARGE, {nil, nil, nil, nil}
  for i = 1, charges do
    local at = CHARGE * i
    local type, flags = byte(charged, at - 49, at - 48)
    usual = usual and (type == GCRA or type == CONCURRENCY or type == PACE) and (flags == 0 or flags == LOW)
    keys[i] = PREFIX .. 'r:' .. sub(charged, at - 15, at)
  end
  if usual and max_wait > 0 then
    keys[charges + 1] = PREFIX .. 't:' .. sub(ids, 1, 8)
  end
  usual = usual and call('ZCOUNT', ENDS, '-inf', NOW) == 0

  -- Who is free: rows as they will be, after their fields, and for each permit its lease but for what was paid.
  local hash, expires, left = PREFIX .. 'c:' .. chain, now + ttl, usual and count or 0
  local rows, leases, granted, seen = {nil, nil, nil, nil}, {nil}, pack('<d', now), nil
  for at = 1, #ARGV[3], 12 do
    if left == 0 then
      break
    end
    local slot, cap, cell_cap = read('<i4i4i4', ARGV[3], at)
    local name = format('%d', slot)
    local address_field, cell_field = 'a' .. name, 'c' .. name .. ':' .. target
    local found = call('HMGET', hash, address_field, cell_field)
    local address, cell = found[1], found[2]
    if address then
      local live, revision, _, bits, size, flags, epoch = read('<i4i4dBHHi4', address)
      local cell_live, cell_revision, cell_bits, cell_size, cell_flags, cell_epoch = 0, 0, 0, 0, FRESH_FLAGS, 0
      if cell then
        cell_live, cell_revision, _, cell_bits, cell_size = read('<i4i4dBH', cell)
        if cell_size > 0 then
          cell_flags, cell_epoch = read('<Hi4', cell, 20)
        end
      end
      if bits > REMOVED or cell_bits ~= 0 or seen and seen[name] then
        usual = false -- it stands in other pools too, or pauses, or was named before
        break
      end
      if bits == 0 and flags % 2 == SERVES and cell_flags % 2 == SERVES and live < cap and cell_live < cell_cap then
        local more = 1
        if count > 1 then
          more, seen = min(left, cap - live, cell_cap - cell_live), seen or {}
          seen[name] = true
        end
        local lease = pack('<ddBi4i4i4', now, expires, OCCUPIES, epoch, cell_epoch, slot) .. sub(address, 28 + size, 51 + size)
          .. sub(ARGV[1], 22) .. char(charges)
        for i = 1, more do
          leases[#leases + 1] = lease
          granted = granted .. pack('<c8i4i4i4ddB', chain, slot, live + i, revision + i, now, expires, 0)
        end
        left = left - more
        local at_rows = #rows
        rows[at_rows + 1], rows[at_rows + 3] = address_field, cell_field
        rows[at_rows + 2] = pack('<i4i4dB', live + more, revision + more, now, 0) .. sub(address, 18)
        rows[at_rows + 4] = pack('<i4i4dB', cell_live + more, cell_revision + more, now, 0) .. (cell and sub(cell, 18) or '\0\0')
      end
    end
  end

  local permits = #leases
  if usual and permits > 0 then
    -- What the limits will be, and by which number each permit is known to them: so much, and so much more each.
    local states = #keys > 0 and call('MGET', unpack(keys)) or {}
    local values, lives, marks, step, near = {nil, nil, nil}, {nil, nil, nil}, {nil, nil, nil}, {nil, nil, nil}, nil
    usual = not states[charges + 1]
    for i = 1, usual and charges or 0 do
      local state = states[i]
      local type, flags, _, a, b, cost = read('<BBdddd', charged, CHARGE * i - 49)
      local stored, was_near, hint, kept = type, 0, LONG_AGO, 0
      if state then
        stored, was_near, hint, kept = read('<BBdd', state)
      end
      local is_near, told, needed = was_near == 1, false, type == GCRA and b * a + max(MINUTE, 20 * a)
        or type == CONCURRENCY and 2 * DAY or DAY
      needed = max(needed, hint - now)
      if kept < now + needed then
        kept = now + 2 * needed
        lives[i] = format('%d', 2 * needed / 1000 + 1)
      end
      marks[i], step[i] = 0, 0
      if stored ~= type then
        usual = false
      elseif type == GCRA then
        local tat, activity, takes = 0, 0, cost * a
        if state then
          tat, _, activity = read('<ddd', state, 19)
        end
        local from, pause = max(tat, now), max(0, now - tat)
        usual = usual and cost <= b and tat - (b - cost) * a <= now
          and (permits == 1 or from + (permits - 1) * takes - (b - cost) * a <= now)
        for _ = 1, permits do
          activity = activity + 0.15 * (takes / (takes + pause) - activity)
          local before = is_near
          is_near, pause = activity >= (is_near and AWAY_AT or NEAR_AT), 0
          told = told or is_near and not before
        end
        marks[i], step[i] = from + takes, takes
        values[i] = pack('<BBddddd', type, is_near and 1 or 0, hint, kept, from + permits * takes, a, activity)
      elseif type == CONCURRENCY then
        local live = state and read('<d', state, 19) or 0
        usual = usual and live + permits <= a
        for more = 1, permits do
          local before = is_near
          is_near = live + more >= (is_near and AWAY_AT or NEAR_AT) * a
          told = told or is_near and not before
        end
        values[i] = pack('<BBddd', type, is_near and 1 or 0, hint, kept, live + permits)
      elseif b > 0 then
        usual = false
      else
        local row, last, shifted, blocked, slow = nil, LONG_AGO, LONG_AGO, 0, 0
        if state then
          row, last, shifted = sub(state, 19, 82), read('<d', state, 83), read('<d', state, 107)
          blocked, slow = read('<d', row, 17), read('<d', row, 41)
        else
          row = pack('<dddddddd', 0, -2 ^ 63, 0, 0, 0, 0, 0, 0)
        end
        usual = usual and blocked <= now and slow == 0
        marks[i] = now
        last = max(last, permits > 1 and now or last)
        values[i] = pack('<BBdd', type, 0, hint, kept) .. row .. pack('<dddd', max(last, now), last, 0, shifted)
      end
      if told and flags ~= LOW then
        near = near or {}
        near[#near + 1] = i
      end
    end
    local ends = format('%d', expires)
    -- Who has asked before has a lease, and gets his first answer.
    if usual and call('ZADD', ENDS, 'NX', ends, sub(ids, 1, 8)) == 1 then
      for i = 1, charges do
        if lives[i] then
          call('SET', keys[i], values[i], 'PX', lives[i])
        else
          call('SET', keys[i], values[i], 'KEEPTTL')
        end
      end
      local fields, more, kinds = {nil, nil}, nil, '<' .. rep('d', charges)
      for permit = 1, permits do
        local id = sub(ids, 8 * permit - 7, 8 * permit)
        fields[2 * permit - 1], fields[2 * permit] = id, leases[permit] .. pack(kinds, unpack(marks, 1, charges)) .. charged
        if permit > 1 then
          more = more or {}
          more[2 * permit - 3], more[2 * permit - 2] = ends, id
        end
        for i = 1, permits > 1 and charges or 0 do
          marks[i] = marks[i] + step[i]
        end
      end
      if more then
        call('ZADD', ENDS, unpack(more))
      end
      call('HSET', hash, unpack(rows))
      call('HSET', LEASES, unpack(fields))
      -- In one string where there is no more to say: tables take long to be answered.
      return near and {GRANTED, now, {}, near, granted} or granted
    end
  end
end
