-- The usual admission, decided before the common parts are even defined: one permit to serve, no session, no ticket, no
-- lease that has just ended, limits that have room and are GCRA, concurrency or a pace without bounds, a candidate that is in
-- one pool only. It does just what admit.lua would, and the differential test holds it to that; whatever is not usual falls
-- through, with nothing written.
do
  local call, pack, read, sub, byte, max, ceil = redis.call, struct.pack, struct.unpack, string.sub, string.byte, math.max, math.ceil
  local purpose, count, ttl, max_wait = read('<Bi4dd', ARGV[1])
  local usual = purpose == 0 and count == 1 and ttl > 0 and ARGV[6] == '' and ARGV[7] == ''
  local prefix, charges, keys = sub(KEYS[1], 1, -2), #ARGV - 8, {}
  for i = 1, charges do
    local raw = ARGV[8 + i]
    local type, flags = byte(raw, 1, 2)
    usual = usual and (type == GCRA or type == CONCURRENCY or type == PACE) and (flags == 0 or flags == LOW)
    keys[i] = prefix .. 'r:' .. sub(raw, 35, 50)
  end
  if usual and max_wait > 0 then
    keys[charges + 1] = prefix .. 't:' .. ARGV[2]
  end
  if usual and #call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 1) == 0 then
    local states = #keys > 0 and call('MGET', unpack(keys)) or {}
    local marks, values, kept, near = {}, {}, {}, {}
    usual = not states[charges + 1]
    for i = 1, usual and charges or 0 do
      local state = states[i]
      local type, flags, wait, a, b, cost = read('<BBdddd', ARGV[8 + i])
      local stored, was_near, hint = type, 0, LONG_AGO
      if state then
        stored, was_near, hint = read('<BBd', state)
      end
      local share = was_near == 1 and AWAY_AT or NEAR_AT
      local is_near, alive = false, 0
      if stored ~= type then
        usual = false
      elseif type == GCRA then
        local tat, interval, activity = 0, 1, 0
        if state then
          tat, interval, activity = read('<ddd', state, 11)
        end
        usual = usual and cost <= b and tat - (b - cost) * a <= now and tat <= now + b * a
        local pause, needed = max(0, now - tat), cost * a
        activity = activity + 0.15 * (needed / (needed + pause) - activity)
        tat = max(tat, now) + needed
        is_near = activity >= share
        marks[i], alive = tat, tat - now + max(MINUTE, 20 * a)
        values[i] = pack('<BBdddd', type, is_near and 1 or 0, hint, tat, a, activity)
      elseif type == CONCURRENCY then
        local live = state and read('<d', state, 11) or 0
        usual = usual and live < a
        is_near = live + 1 >= share * a
        marks[i], alive = 0, 2 * DAY
        values[i] = pack('<BBdd', type, is_near and 1 or 0, hint, live + 1)
      elseif b > 0 then
        usual = false
      else
        local row, last, shifted, blocked, slow = nil, LONG_AGO, LONG_AGO, 0, 0
        if state then
          row, last, shifted = sub(state, 11, 74), read('<d', state, 75), read('<d', state, 99)
          blocked, slow = read('<d', row, 17), read('<d', row, 41)
        else
          row = pack('<dddddddd', 0, -2 ^ 63, 0, 0, 0, 0, 0, 0)
        end
        usual = usual and blocked <= now and slow == 0
        marks[i], alive = now, DAY
        values[i] = pack('<BBd', type, 0, hint) .. row .. pack('<dddd', max(last, now), last, 0, shifted)
      end
      if is_near and was_near == 0 and flags ~= LOW then
        near[#near + 1] = i
      end
      kept[i] = ceil(max(MINUTE, alive, hint - now) / 1000)
    end
    local target, hash = sub(ARGV[4], 1, 8), prefix .. 'c:' .. ARGV[3]
    for at = 1, usual and #ARGV[5] or 0, 12 do
      local slot, cap, cell_cap = read('<i4i4i4', ARGV[5], at)
      local address_field, cell_field = 'a' .. slot, 'c' .. slot .. ':' .. target
      local rows = call('HMGET', hash, address_field, cell_field)
      local address, cell = rows[1], rows[2]
      if address then
        local live, revision, used, bits, size, flags, epoch = read('<i4i4dBHHi4', address)
        local cell_live, cell_revision, cell_bits, cell_size, cell_flags, cell_epoch = 0, 0, 0, 0, FRESH_FLAGS, 0
        if cell then
          cell_live, cell_revision, used, cell_bits, cell_size = read('<i4i4dBH', cell)
          if cell_size > 0 then
            cell_flags, cell_epoch = read('<Hi4', cell, 20)
          end
        end
        if bits > REMOVED or cell_bits ~= 0 then
          break -- it stands in other pools too, or pauses
        end
        if bits == 0 and flags % 2 == SERVES and cell_flags % 2 == SERVES and live < cap and cell_live < cell_cap then
          local expires = now + ttl
          -- Who has asked before has a lease, and gets his first answer.
          if call('ZADD', KEYS[1], 'NX', expires, ARGV[2]) == 0 then
            break
          end
          local lease = pack('<ddBi4i4i4i4', now, expires, 1, epoch, cell_epoch, slot, (read('<i4', address, 48 + size)))
            .. ARGV[3] .. ARGV[4] .. string.char(charges)
          for i = 1, charges do
            call('SET', keys[i], values[i], 'PX', kept[i])
            local type, flags, wait, a, b, cost = read('<BBdddd', ARGV[8 + i])
            lease = lease .. pack('<BBddddB', type, 0, marks[i], a, b, cost, #keys[i]) .. keys[i]
          end
          call('HSET', hash, address_field, pack('<i4i4dB', live + 1, revision + 1, now, 0) .. sub(address, 18), cell_field,
            cell and pack('<i4i4dB', cell_live + 1, cell_revision + 1, now, 0) .. sub(cell, 18) or pack('<i4i4dBH', 1, 1, now, 0, 0))
          call('HSET', prefix .. 'l', ARGV[2], lease)
          return {1, now, {}, near, {0, ARGV[3], slot, live + 1, revision + 1, now, expires, 0}}
        end
      end
    end
  end
end

