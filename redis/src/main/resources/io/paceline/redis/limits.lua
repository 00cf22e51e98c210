-- How a bucket counts: the arithmetic of core's Limit, PaceLimit, Gcra, StartRing, StartCounts and FixedWindow, on the
-- numbers that each charge brings. A limit is one string with a time to live of its own.

--# GCRA, WINDOW, CALENDAR, CONCURRENCY, PACE = 1, 2, 3, 4, 5
--# DRY_RUN, PER_ADDRESS, LOW = 1, 2, 4
-- Octets of a charge as it comes, and as a lease keeps it.
--# CHARGE = 50
-- "Nobody knows when": what a concurrency limit answers that is full.
--# UNKNOWN = 2 ^ 63
-- Before any clock.
--# LONG_AGO = -2 ^ 61
--# NEAR_AT, AWAY_AT = 0.8, 0.67
--# MINUTE, DAY = 60000000, 86400000000
-- A clock that went back holds nobody up for longer than this beyond the burst: the longest wait that anybody may have.
--# LONGEST_WAIT = 3600000000
--# MAX_EXACT, SUB_WINDOWS = 64, 64

local limits = {}

-- A charge as it came: type, flags, longest wait, two numbers, cost, the bucket's key; of a calendar its boundaries and zone.
local function parse_charge(raw, calendar)
  local type, flags, wait, a, b, cost = read('<BBdddd', raw)
  local charge = {type = type, dry = has(flags, DRY_RUN), per_address = has(flags, PER_ADDRESS), low = has(flags, LOW),
    raw = raw, wait = wait, a = a, b = b, cost = cost, key = sub(raw, 35, 50)}
  if type == CALENDAR then
    charge.bounds, charge.zone = {read('<ddddd', calendar)}, sub(calendar, 41)
  end
  return charge
end

-- ---- the state of each kind; before it stand its type, whether it is near its limit, the hint told last, and until when
-- the key is kept

-- A target's own pace: epoch, since, blocked until, step, wins, slow interval, peak, growth, last start, start before,
-- pressed, shifted: all doubles, in the order in which PaceLimit saves them.
--# PACE_FORMAT = '<dddddddddddd'

local function pace_of(raw)
  if not raw then
    return {epoch = 0, since = -2 ^ 63, blocked = 0, step = 0, wins = 0, slow = 0, peak = 0, growth = 0,
      last = LONG_AGO, before = LONG_AGO, pressed = 0, shifted = LONG_AGO}
  end
  local pace = {}
  pace.epoch, pace.since, pace.blocked, pace.step, pace.wins, pace.slow, pace.peak, pace.growth, pace.last, pace.before,
    pace.pressed, pace.shifted = read(PACE_FORMAT, raw)
  return pace
end

local function pack_pace(pace)
  return pack(PACE_FORMAT, pace.epoch, pace.since, pace.blocked, pace.step, pace.wins, pace.slow, pace.peak, pace.growth,
    pace.last, pace.before, pace.pressed, pace.shifted)
end

-- What of it is a PaceRow.
local function pace_row(pace)
  return sub(pack_pace(pace), 1, 64)
end

local function fresh(limit, type, a, b, zone)
  limit.type, limit.hint, limit.near = type, LONG_AGO, false
  if type == GCRA then
    limit.tat, limit.interval, limit.busy = 0, 1, 0
  elseif type == WINDOW then
    limit.limit, limit.window = a, b
    if a <= MAX_EXACT then
      limit.times, limit.size = '', 0
    else
      limit.newest, limit.last, limit.total, limit.counts = LONG_AGO, LONG_AGO, 0, rep('\0', 4 * SUB_WINDOWS)
    end
  elseif type == CALENDAR then
    limit.limit, limit.window, limit.zone = a, b, zone
    limit.begin, limit.ends, limit.count = -2 ^ 63, -2 ^ 63, 0
  elseif type == CONCURRENCY then
    limit.live = 0
  else
    limit.pace = pace_of(nil)
  end
end

local function state_of(limit)
  local type = limit.type
  if type == GCRA then
    return pack('<ddd', limit.tat, limit.interval, limit.busy)
  elseif type == WINDOW then
    if limit.limit <= MAX_EXACT then
      return pack('<dd', limit.limit, limit.window) .. limit.times
    end
    return pack('<ddddd', limit.limit, limit.window, limit.newest, limit.last, limit.total) .. limit.counts
  elseif type == CALENDAR then
    return pack('<ddddd', limit.limit, limit.window, limit.begin, limit.ends, limit.count) .. limit.zone
  elseif type == CONCURRENCY then
    return pack('<d', limit.live)
  end
  return pack_pace(limit.pace)
end

-- The first microsecond of a sub-window, which is a 63rd of the window: in whole windows and a rest, so that all is exact.
local function sub_window_at(at, window)
  local whole = floor(at / window)
  return whole * (SUB_WINDOWS - 1) + floor((at - whole * window) * (SUB_WINDOWS - 1) / window)
end

local function sub_window_begin(number, window)
  local whole = floor(number / (SUB_WINDOWS - 1))
  return whole * window + ceil((number - whole * (SUB_WINDOWS - 1)) * window / (SUB_WINDOWS - 1))
end

-- How long the state means anything; whoever comes later finds a fresh one, which counts the same.
local function kept_micros(limit)
  local type, kept = limit.type, 0
  if type == GCRA then
    kept = limit.tat - now + max(MINUTE, 20 * limit.interval)
  elseif type == WINDOW then
    local idle = limit.limit <= MAX_EXACT and (limit.size == 0 and 0 or read('<d', limit.times, 8 * limit.size - 7) + limit.window)
      or limit.limit > MAX_EXACT and sub_window_begin(limit.newest + SUB_WINDOWS, limit.window)
    kept = idle - now + MINUTE
  elseif type == CALENDAR then
    kept = limit.ends - now + MINUTE
  elseif type == CONCURRENCY then
    kept = 2 * DAY
  else
    kept = max(0, limit.pace.blocked - now) + DAY
  end
  return min(62 * DAY, max(MINUTE, kept, limit.hint - now))
end

-- It is written to live twice as long as it means anything, and then left to that: a time to live costs as much as the rest.
local function save_limit(limit)
  if limit.type == CONCURRENCY and limit.live == 0 and limit.hint <= now then
    call('DEL', limit.key)
    limit.kept = 0
    return
  end
  local needed = kept_micros(limit)
  local is_kept = limit.kept >= now + needed
  if not is_kept then
    limit.kept = now + 2 * needed
  end
  local value = pack('<BBdd', limit.type, limit.near and 1 or 0, limit.hint, limit.kept) .. state_of(limit)
  if is_kept then
    call('SET', limit.key, value, 'KEEPTTL')
  else
    call('SET', limit.key, value, 'PX', ceil(2 * needed / 1000))
  end
end

local function parse_limit(key, raw)
  local limit = {key = key, kept = 0, save = save_limit}
  if not raw then
    return limit
  end
  local type, near, hint, kept = read('<BBdd', raw)
  limit.type, limit.near, limit.hint, limit.kept = type, near == 1, hint, kept
  if type == GCRA then
    limit.tat, limit.interval, limit.busy = read('<ddd', raw, 19)
  elseif type == WINDOW then
    limit.limit, limit.window = read('<dd', raw, 19)
    if limit.limit <= MAX_EXACT then
      limit.times = sub(raw, 35)
      limit.size = #limit.times / 8
    else
      limit.newest, limit.last, limit.total = read('<ddd', raw, 35)
      limit.counts = sub(raw, 59)
    end
  elseif type == CALENDAR then
    limit.limit, limit.window, limit.begin, limit.ends, limit.count = read('<ddddd', raw, 19)
    limit.zone = sub(raw, 59)
  elseif type == CONCURRENCY then
    limit.live = read('<d', raw, 19)
  else
    limit.pace = pace_of(sub(raw, 19))
  end
  return limit
end

-- The limit of a key as it is stored; its type is nil where nothing is.
local function limit_at(key)
  local limit = limits[key]
  if not limit then
    limit = parse_limit(key, call('GET', key))
    limits[key] = limit
  end
  return limit
end

-- ---- sliding windows

local function count_of(limit, number)
  local back = limit.newest - number
  return (back < 0 or back >= SUB_WINDOWS) and 0 or read('<I4', limit.counts, 4 * (SUB_WINDOWS - 1 - back) + 1)
end

-- What the 64 sub-windows up to this one hold.
local function held_in(limit, number)
  local gone = number - limit.newest
  if gone >= SUB_WINDOWS then
    return 0
  end
  local held = limit.total
  for back = SUB_WINDOWS - 1, SUB_WINDOWS - gone, -1 do
    held = held - count_of(limit, limit.newest - back)
  end
  return held
end

local function window_free(limit, at)
  if limit.limit <= MAX_EXACT then
    if limit.size > 0 and read('<d', limit.times, 8 * limit.size - 7) > at then
      return 0
    end
    local live = limit.size
    for i = 1, limit.size do
      if read('<d', limit.times, 8 * i - 7) + limit.window > at then
        break
      end
      live = live - 1
    end
    return limit.limit - live
  end
  return limit.last > at and 0 or limit.limit - held_in(limit, sub_window_at(at, limit.window))
end

local function window_start(limit, at, cost)
  if cost > limit.limit then
    return UNKNOWN
  end
  if limit.limit <= MAX_EXACT then
    if limit.size == 0 then
      return at
    end
    local start = max(at, (read('<d', limit.times, 8 * limit.size - 7)))
    local must_have_passed = limit.size + cost - limit.limit
    return must_have_passed <= 0 and start or max(start, read('<d', limit.times, 8 * must_have_passed - 7) + limit.window)
  end
  local start = max(at, limit.last)
  local number = sub_window_at(start, limit.window)
  local held = held_in(limit, number)
  if held + cost <= limit.limit then
    return start
  end
  while held + cost > limit.limit do
    number = number + 1
    held = held - count_of(limit, number - SUB_WINDOWS)
  end
  return sub_window_begin(number, limit.window)
end

local function window_take(limit, at, cost)
  if limit.limit <= MAX_EXACT then
    for _ = 1, cost do
      if limit.size > 0 and read('<d', limit.times) + limit.window <= at then
        limit.times = sub(limit.times, 9)
        limit.size = limit.size - 1
      end
      limit.times = limit.times .. pack('<d', at)
      limit.size = limit.size + 1
    end
    return
  end
  local number = sub_window_at(at, limit.window)
  local steps = min(number - limit.newest, SUB_WINDOWS)
  for i = 1, steps do
    limit.total = limit.total - read('<I4', limit.counts, 4 * i - 3)
  end
  limit.counts = sub(limit.counts, 4 * steps + 1) .. rep('\0', 4 * steps)
  limit.newest, limit.last, limit.total = number, at, limit.total + cost
  limit.counts = sub(limit.counts, 1, -5) .. pack('<I4', read('<I4', limit.counts, 4 * SUB_WINDOWS - 3) + cost)
end

local function window_give_back(limit, at, cost)
  if limit.limit <= MAX_EXACT then
    if cost > limit.size or read('<d', limit.times, 8 * limit.size - 7) ~= at
      or read('<d', limit.times, 8 * (limit.size - cost) + 1) ~= at then
      return false
    end
    for _ = 1, cost do
      -- The start that had made room for it comes back in front, as late as it can have been.
      local restored = at - limit.window
      if limit.size > 1 then
        restored = min(restored, (read('<d', limit.times)))
      end
      limit.times = pack('<d', restored) .. sub(limit.times, 1, -9)
    end
    return true
  end
  local newest = read('<I4', limit.counts, 4 * SUB_WINDOWS - 3)
  if limit.last ~= at or newest < cost then
    return false
  end
  limit.counts = sub(limit.counts, 1, -5) .. pack('<I4', newest - cost)
  limit.total = limit.total - cost
  return true
end

-- ---- a target's own pace

local function pace_rate(pace, floor_rate, ceiling)
  local seconds = pace.growth / 1e6
  local free
  if pace.peak == 0 then
    free = floor_rate * 2 ^ min(64, seconds / PACE_DOUBLING_SECONDS)
  else
    local from_peak = (seconds - PACE_CYCLE_SECONDS) / PACE_CYCLE_SECONDS
    local steepness = (1 - PACE_KEPT) * (from_peak < 0 and 1 or PACE_STEEPNESS_BEYOND)
    free = pace.peak * (1 + steepness * from_peak * from_peak * from_peak)
  end
  return max(floor_rate, min(ceiling, free))
end

local function pace_interval(pace, charge)
  return max(pace.slow, charge.b > 0 and ceil(1e6 / pace_rate(pace, charge.a, charge.b)) or 0)
end

local function pace_start(pace, at, charge)
  local interval = pace_interval(pace, charge)
  local spaced = interval == 0 and at or pace.last + interval
  if spaced > at then
    pace.pressed = 1
  end
  return max(at, pace.blocked, spaced)
end

local function pace_take(pace, at, charge)
  local interval = pace_interval(pace, charge)
  if pace.pressed == 1 and pace.last ~= LONG_AGO then
    -- A pause teaches nothing of what the target bears.
    pace.growth = pace.growth + max(0, min(at - max(pace.last, pace.blocked), 2 * interval))
  end
  pace.pressed = 0
  pace.before = pace.last
  pace.last = max(pace.last, at)
end

-- Why the pace holds a request back: 1 a pause, 2 slowed by blame, 3 what the target bears.
local function pace_reason(pace, charge)
  if pace.blocked > now then
    return 1
  end
  return pace.slow > 0 and pace.slow >= pace_interval(pace, charge) and 2 or 3
end

-- ---- all kinds

-- The mean time between two permits of a limit that is always asked for.
local function hint_interval(type, a, b)
  if type == GCRA then
    return a
  elseif type == WINDOW or type == CALENDAR then
    return max(1, floor(b / a))
  elseif type == PACE then
    return GUESSED_PACE
  end
  return max(1, floor(GUESSED_LEASE / a))
end

local function used_of(limit)
  if limit.type == GCRA then
    return min(2 ^ 31 - 1, floor((max(0, limit.tat - now) + limit.interval - 1) / limit.interval))
  elseif limit.type == WINDOW then
    return limit.limit - window_free(limit, now)
  elseif limit.type == CALENDAR then
    if limit.begin > now then
      return limit.limit
    end
    return now >= limit.ends and 0 or limit.count
  end
  return 0
end

-- Where the calendar's window that holds a time begins and ends. Java, which knows the zone, has sent four windows around
-- the time that it believes it is (admit.lua asks again where that is wrong). Further ahead only windows up to an hour can
-- be reserved, and those are all of one length.
local function boundaries(charge, at)
  for i = 1, 4 do
    if at < charge.bounds[i + 1] then
      return charge.bounds[i], charge.bounds[i + 1]
    end
  end
  return at, at + charge.b
end

local function take_calendar(limit, at, count, charge)
  if at >= limit.ends then
    limit.begin, limit.ends = boundaries(charge, at)
    limit.count = 0
  end
  limit.count = limit.count + count
end

-- The state as the charge counts: under a changed rule, what the old one holds is charged as if it had just started.
local function limit_for(charge, key)
  local limit = limit_at(key)
  local type = limit.type
  if type == charge.type then
    if type == GCRA or type == CONCURRENCY or type == PACE then
      return limit
    end
    if limit.limit == charge.a and limit.window == charge.b and (type == WINDOW or limit.zone == charge.zone) then
      return limit
    end
  end
  local used = type and used_of(limit) or 0
  fresh(limit, charge.type, charge.a, charge.b, charge.zone)
  if type then
    touch(limit)
  end
  if used > 0 then
    if charge.type == GCRA then
      limit.tat, limit.interval = max(limit.tat, now) + used * charge.a, charge.a
    elseif charge.type == WINDOW then
      window_take(limit, now, min(used, charge.a))
    elseif charge.type == CALENDAR then
      take_calendar(limit, now, min(used, charge.a), charge)
    end
  end
  return limit
end

local function start_at(limit, charge)
  local type = charge.type
  if type == GCRA then
    local tat = min(limit.tat, now + charge.b * charge.a + LONGEST_WAIT)
    return charge.cost > charge.b and UNKNOWN or max(now, tat - (charge.b - charge.cost) * charge.a)
  elseif type == WINDOW then
    return window_start(limit, now, charge.cost)
  elseif type == CALENDAR then
    local at = max(now, limit.begin)
    if charge.cost > limit.limit then
      return UNKNOWN
    end
    return (at >= limit.ends or limit.count + charge.cost <= limit.limit) and at or limit.ends
  elseif type == CONCURRENCY then
    return limit.live < charge.a and now or UNKNOWN
  end
  local pressed = limit.pace.pressed
  local at = pace_start(limit.pace, now, charge)
  if pressed ~= limit.pace.pressed then
    touch(limit)
  end
  return at
end

-- Charges a start; what it returns names it to a refund.
local function take(limit, at, charge)
  touch(limit)
  local type = charge.type
  if type == GCRA then
    local pause = max(0, at - limit.tat)
    local needed = charge.cost * charge.a
    limit.busy = limit.busy + 0.15 * (needed / (needed + pause) - limit.busy)
    limit.tat, limit.interval = max(min(limit.tat, now + charge.b * charge.a + LONGEST_WAIT), at) + needed, charge.a
    return limit.tat
  elseif type == WINDOW then
    window_take(limit, at, charge.cost)
    return at
  elseif type == CALENDAR then
    take_calendar(limit, at, charge.cost, charge)
    return at
  elseif type == CONCURRENCY then
    limit.live = limit.live + 1
    return 0
  end
  pace_take(limit.pace, at, charge)
  return at
end

-- Whether the start just taken has brought the bucket near its limit: true once, until it has been away from it.
local function comes_near(limit, charge)
  local share, near = limit.near and AWAY_AT or NEAR_AT, false
  if charge.type == GCRA then
    near = limit.busy >= share
  elseif charge.type == WINDOW then
    local held = limit.limit <= MAX_EXACT and limit.size or limit.total
    near = held >= share * limit.limit and used_of(limit) >= share * limit.limit
  elseif charge.type == CALENDAR then
    near = used_of(limit) >= share * limit.limit
  elseif charge.type == CONCURRENCY then
    near = limit.live >= share * charge.a
  end
  local before = limit.near
  limit.near = near
  return near and not before
end

-- What the next who is refused is told: staggered, and in the past where it would be further ahead than makes sense.
local function next_hint(limit, at, charge)
  local interval = hint_interval(charge.type, charge.a, charge.b)
  if charge.type == PACE then
    local spaced = pace_interval(limit.pace, charge)
    interval = spaced > 0 and spaced or interval
  end
  local hint = max(limit.hint + interval, at)
  return hint - at > MAX_HINTS_AHEAD * interval and at or hint
end

local function tell_hint(limit, at, charge)
  limit.hint = next_hint(limit, at, charge)
  touch(limit)
  return limit.hint
end

-- Undoes a take where nobody has taken behind it.
local function give_back(paid)
  local limit = limit_at(paid.key)
  local type = limit.type
  if type ~= paid.type then
    return
  end
  if type == GCRA then
    if limit.tat == paid.mark then
      limit.tat = limit.tat - paid.cost * paid.a
      touch(limit)
    end
  elseif type == WINDOW then
    if limit.limit == paid.a and limit.window == paid.b and window_give_back(limit, paid.mark, paid.cost) then
      touch(limit)
    end
  elseif type == CALENDAR then
    if limit.limit == paid.a and limit.window == paid.b and paid.mark >= limit.begin and paid.mark < limit.ends and limit.count >= paid.cost then
      limit.count = limit.count - paid.cost
      touch(limit)
    end
  elseif type == PACE then
    if paid.mark == limit.pace.last then
      limit.pace.last = limit.pace.before
      touch(limit)
    end
  end
end

-- Refunds what was paid for a start that did not take place.
local function refund(all_paid)
  for i = 1, #all_paid do
    local paid = all_paid[i]
    if not paid.dry and paid.type ~= CONCURRENCY then
      give_back(paid)
    end
  end
end

-- What a lease or a ticket has paid: how many charges, by which number each is known to its limit, the charges as they came,
-- and of those that name the address where it is: chain and identity.
local function pack_paid(all_paid)
  local marks, charges, places = {char(#all_paid)}, {}, {}
  for i = 1, #all_paid do
    local paid = all_paid[i]
    marks[i + 1] = pack('<d', paid.mark)
    charges[i] = paid.raw
    places[i] = paid.place
  end
  return table.concat(marks) .. table.concat(charges) .. table.concat(places)
end

local function read_paid(raw, at)
  local all_paid, count = {}, byte(raw, at)
  local places = at + 1 + (8 + CHARGE) * count
  for i = 1, count do
    local from, place = at + 1 + 8 * count + CHARGE * (i - 1), ''
    local type, flags, _, a, b, cost = read('<BBdddd', raw, from)
    if has(flags, PER_ADDRESS) then
      place = sub(raw, places, places + 15)
      places = places + 16
    end
    all_paid[i] = {type = type, dry = has(flags, DRY_RUN), mark = read('<d', raw, at + 8 * i - 7), a = a, b = b, cost = cost,
      raw = sub(raw, from, from + CHARGE - 1), place = place,
      key = PREFIX .. 'r:' .. sub(raw, from + 34, from + CHARGE - 1) .. place}
  end
  return all_paid
end
