-- The usual settlement, decided before most common parts are even defined: a success with its latency, of a lease that no
-- session holds, on an address in one pool and as it was when it was leased, while nobody is guilty and no lease has just
-- ended. It does just what settle.lua would, and the differential test holds it to that; whatever is not usual falls through,
-- with nothing written.
do
  local _, on_address, on_cell, sign, latency, _, refunds = read('<dBBBdBB', ARGV[1])
  local usual = on_address == SUCCESS and on_cell == SUCCESS and sign == SIGN_SUCCESS and latency >= 0 and refunds == 0
    and call('ZCOUNT', ENDS, '-inf', NOW) == 0
  local lease = usual and call('HGET', LEASES, ARGV[2])
  if lease then
    local granted, _, flags, address_epoch, cell_epoch, slot = read('<ddBi4i4i4', lease)
    local kin, chain, target, mark, target_mark = read('<c24c8c8c1H', lease, 30)
    usual = flags == OCCUPIES

    -- Limits that count what is live, and the pace, which may have to learn of the success.
    local keys, charges, pace = {nil, nil, nil}, byte(lease, PLAIN), nil
    for i = 1, usual and charges or 0 do
      local at = PLAIN + 1 + 8 * charges + CHARGE * (i - 1)
      local type, marks = byte(lease, at, at + 1)
      if type == CONCURRENCY then
        usual = usual and marks % (2 * PER_ADDRESS) < PER_ADDRESS
        keys[#keys + 1] = PREFIX .. 'r:' .. sub(lease, at + 34, at + CHARGE - 1)
      elseif type == PACE then
        pace = PREFIX .. 'r:' .. sub(lease, at + 34, at + CHARGE - 1)
      end
    end
    local counting = #keys
    keys[counting + 1] = pace
    local states = usual and keys[1] and call('MGET', unpack(keys)) or {}
    local paced = states[counting + 1]
    usual = usual and not (paced and byte(paced) == PACE and read('<d', paced, 43) > 0)

    -- The rows: of address and cell, and of the tallies of target, pool and tags.
    local hash, name, tag, other = PREFIX .. 'c:' .. chain, format('%d', slot), sub(kin, 1, 8), sub(kin, 9, 16)
    local address_field, cell_field, none = 'a' .. name, 'c' .. name .. ':' .. target, '\0\0\0\0\0\0\0\0'
    local ids = {target, none, tag ~= none and tag or other, tag ~= none and other or none}
    local groups = ids[3] == none and 2 or ids[4] == none and 3 or 4
    usual = usual and target ~= tag and target ~= other and target ~= none and (tag ~= other or tag == none)
    local fields = {'t' .. target, 't' .. none, groups > 2 and 't' .. ids[3], groups > 3 and 't' .. ids[4]}
    local found = usual and call('HMGET', hash, 'g', 'm', address_field, cell_field, unpack(fields, 1, groups)) or {}
    local address, cell = found[3], found[4]
    if address and cell and (not found[1] or found[1] == '0') then
      local live, revision, used, bits, size, facts, epoch = read('<i4i4dBHHi4', address)
      local cell_live, cell_revision, cell_used, cell_bits, cell_size = read('<i4i4dBH', cell)
      local cell_facts, cell_epoch_now = FRESH_FLAGS, 0
      if cell_size > 0 then
        cell_facts, cell_epoch_now = read('<Hi4', cell, 20)
      end
      usual = bits == 0 and cell_bits == 0 and facts % 2 == SERVES and cell_facts % 2 == SERVES
        and epoch == address_epoch and cell_epoch_now == cell_epoch and sub(address, 28 + size, 51 + size) == kin

      -- What address and cell have seen before; the tallies count so many outcomes of a cell, and no more.
      local at, cell_at = 52 + size, 20 + cell_size
      local fails = #address >= at and read('<i4', address, at + 31) or 0
      local step, cell_step, in_step, seen_epoch, cell_fails = floor(now / STEP), nil, 0, epoch, 0
      if #cell >= cell_at then
        cell_step, in_step, seen_epoch, cell_fails = read('<dBi4i4', cell, cell_at + 18)
        in_step = cell_step == step and in_step or 0
      end
      local counts, good = in_step < MOST_PER_STEP, fails == 0 and cell_fails == 0
      if usual and seen_epoch == epoch then
        local more = counts and 1 or 0

        -- A row as it begins, its evidence with one success more, and what follows the window in it.
        local function with_success(raw, begins, head, in_this_step, last_step, epoch_of)
          local owed, stretch, since, tried, faults, when, so_many, of_epoch, in_row, wins, average, last_fault, window, rest
          if #raw < begins then
            owed, stretch, since, tried, faults, when, so_many, of_epoch, in_row, wins, average, last_fault, window, rest =
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NEVER, 'S', ''
          else
            local _, length
            owed, stretch, since, tried, faults, when, so_many, of_epoch, _, in_row, wins, average, last_fault, length =
              read(EVIDENCE, raw, begins)
            window, rest = 'S' .. sub(raw, begins + 56, begins + 55 + min(length, WINDOW_SIZE - 1)), sub(raw, begins + 56 + length)
          end
          owed = max(0, owed - 1)
          return head .. sub(raw, 18, begins - 1) .. pack(EVIDENCE, owed, owed == 0 and 0 or min(WINDOW_SIZE, stretch + 1), since,
            tried + more, faults, last_step or when, in_this_step or so_many, epoch_of or of_epoch, 0, in_row + 1, wins + 1,
            averaged(average, latency), last_fault, #window) .. window, rest
        end

        local tally, values, typical, relative = found[5], {address_field, nil, cell_field, nil, nil, nil}, nil, nil
        typical, relative = typical_of(tally and read('<f', tally, 57) or 0, latency)
        local trail, rest
        trail, rest = with_success(address, at, pack('<i4i4dB', live - 1, revision + 2, used, 0))
        local marks, latencies = rep('\0', 16), ''
        if rest ~= '' then
          marks, latencies = sub(rest, 1, 16), sub(rest, 17)
        end
        address = trail .. mark .. sub(marks, 1, 15) .. timed(latencies, facts % (2 * HEALTHY) >= HEALTHY, latency, relative)
        cell = with_success(cell, cell_at, pack('<i4i4dB', cell_live - 1, cell_revision + 2, cell_used, 0), in_step + more, step, epoch)
        values[2], values[4] = address, cell

        local high = floor(slot / 65536) % 8
        local entry = counts and pack('<BHBHc4d', SIGN_SUCCESS + (good and 8 or 0) + 16, slot % 65536, high, target_mark,
          sub(kin, 17, 20), now)
        for i = 1, counts and groups or 1 do
          local id, raw = ids[i], found[4 + i]
          local guilty, newest, sum, unreached, faults, captchas, summed_at, usual_latency = 0, step, 0, 0, 0, 0, now, 0
          local steps, of_good = nil, nil
          if raw then
            guilty, newest, sum, unreached, faults, captchas, summed_at, usual_latency = read('<dddddddf', raw)
            steps, of_good = sub(raw, 61, 60 + 8 * STEPS), sub(raw, 61 + 8 * STEPS)
          else
            steps, of_good = rep('\0', 8 * STEPS), rep('\0', 8 * STEPS)
          end
          if counts then
            local list = PREFIX .. 'n:' .. chain .. id
            local length, passed = call('LPUSH', list, entry), step - newest
            if length > (id == none and POOL_ENTRIES or ENTRIES) + SLACK then
              call('LTRIM', list, 0, (id == none and POOL_ENTRIES or ENTRIES) - 1)
            end
            if passed > 0 then
              local gone = rep('\0', 8 * min(STEPS, passed))
              steps, of_good = sub(gone .. steps, 1, 8 * STEPS), sub(gone .. of_good, 1, 8 * STEPS)
              newest = step
            end
            if length == 1 or passed > 0 then
              call('PEXPIRE', list, KEPT_MILLIS)
            end
            local so_many = read('<H', steps)
            if so_many < 65535 then
              steps = pack('<H', so_many + 1) .. sub(steps, 3)
              if good then
                of_good = pack('<H', read('<H', of_good) + 1) .. sub(of_good, 3)
              end
            end
            if good then
              local factor = faded(sum, summed_at)
              if factor then
                sum, unreached, faults, captchas, summed_at = sum * factor, unreached * factor, faults * factor, captchas * factor, now
              end
              sum = sum + 1
            end
          end
          values[2 * i + 3] = fields[i]
          values[2 * i + 4] = pack('<dddddddf', guilty, newest, sum, unreached, faults, captchas, summed_at,
            i == 1 and typical or usual_latency) .. steps .. of_good
        end

        call('HDEL', LEASES, ARGV[2])
        call('ZREM', ENDS, ARGV[2])
        for i = 1, counting do
          local state = states[i]
          if state and byte(state) == CONCURRENCY then
            local _, near, hint, kept, now_live = read('<BBddd', state)
            if now_live <= 1 and hint <= now then
              call('DEL', keys[i])
            elseif kept >= now + max(2 * DAY, hint - now) then
              call('SET', keys[i], sub(state, 1, 18) .. pack('<d', max(0, now_live - 1)), 'KEEPTTL')
            else
              local needed = max(2 * DAY, hint - now)
              call('SET', keys[i], pack('<BBddd', CONCURRENCY, near, hint, now + 2 * needed, max(0, now_live - 1)), 'PX',
                format('%d', 2 * needed / 1000 + 1))
            end
          end
        end
        call('HSET', hash, unpack(values))
        -- In one string: tables take long to be answered.
        return pack('<ddi4H', now, granted, tonumber(found[2] or 0), #address) .. address .. cell
      end
    end
  end
end
