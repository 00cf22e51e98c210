-- What is counted about an address or a cell: core's Row, and of an address its Latencies.
--
-- The window is a word of letters, newest first: S a success, F a fault, C a captcha. Rows that have seen nothing have no
-- evidence at all.
--# NONE, SUCCESS, FAULT, CAPTCHA = 0, 1, 2, 3
--# NEVER = -2 ^ 62
--# EVIDENCE = '<BBdi4i4dBi4i4i4i4fdB'
local NEWEST = float(2 / (WINDOW_SIZE + 1))

local function pack_evidence(row)
  local e = row.evidence
  return pack(EVIDENCE, e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch,
    e.fails, e.wins_in_row, e.wins, e.latency, e.last_fault, #e.window) .. e.window .. e.marks .. e.latencies
end

local function evidence_of(row)
  local e = row.evidence
  if e then
    return e
  end
  e = {}
  if row.tail == '' then
    e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch = 0, 0, 0, 0, 0, 0, 0, 0
    e.fails, e.wins_in_row, e.wins, e.latency, e.last_fault, e.window, e.latencies = 0, 0, 0, 0, NEVER, '', ''
    e.marks = row.owner and rep('\0', 16) or ''
  else
    local size
    e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch, e.fails, e.wins_in_row,
      e.wins, e.latency, e.last_fault, size = read(EVIDENCE, row.tail)
    e.window = sub(row.tail, 57, 56 + size)
    e.marks = row.owner and sub(row.tail, 57 + size, 72 + size) or ''
    e.latencies = row.owner and sub(row.tail, 73 + size) or ''
  end
  row.evidence, row.pack = e, pack_evidence
  return e
end

local function push(e, mark, sign)
  e.window = sub(sign .. e.window, 1, WINDOW_SIZE)
  if e.marks ~= '' then
    e.marks = sub(mark .. e.marks, 1, 16)
  end
  if sign == 'S' then
    e.owed = max(0, e.owed - 1)
  else
    e.owed = min(MOST_SUCCESSES, e.owed + SUCCESSES_A_FAULT)
  end
  e.stretch = e.owed == 0 and 0 or min(WINDOW_SIZE, e.stretch + 1)
end

-- Adds an outcome; false where it is one more failure of a burst inside one instant, which is one signal.
local function observe(row, mark, what, latency)
  if what == NONE then
    return false
  end
  local e = evidence_of(row)
  if what == SUCCESS then
    row.revision = row.revision + 1
    push(e, mark, 'S')
    e.fails, e.wins_in_row, e.wins = 0, e.wins_in_row + 1, e.wins + 1
    if latency >= 0 then
      local micros = float(latency)
      e.latency = e.latency == 0 and micros or float(e.latency + float(NEWEST * float(micros - e.latency)))
    end
    touch(row)
    return true
  end
  if now - e.last_fault < INSTANT then
    return false
  end
  row.revision = row.revision + 1
  e.last_fault = now
  if e.owed == 0 then
    e.since, e.counted, e.counted_faults = now, 0, 0
  end
  push(e, mark, what == CAPTCHA and 'C' or 'F')
  e.fails, e.wins_in_row = e.fails + 1, 0
  touch(row)
  return true
end

-- Without a failure at the end of what is remembered: its outcomes tell what is usual.
local function is_good(row)
  return evidence_of(row).fails == 0 and has(row.flags, SERVES)
end

-- ---- latencies: 2 x 32 counts, outcomes, norm, median, 95th percentile, jump

--# BUCKETS, MOST, LEAST, ANEW, EACH, NORM_NEWEST = 32, 64, 32, 16, 4, 0.25

local function bucket_of(value)
  if value <= 0 then
    return 0
  end
  local fraction, exponent = math.frexp(value)
  return max(0, min(BUCKETS - 1, 2 * (exponent - 1) + (fraction >= 0.75 and 1 or 0)))
end

-- Where a bucket begins: 1, 1.5, 2, 3, 4, 6, ...
local function lower(bucket)
  return 2 ^ floor(bucket / 2) * (bucket % 2 == 0 and 1 or 1.5)
end

local function count_one(counts, place)
  return sub(counts, 1, place) .. char((byte(counts, place + 1) + 1) % 256) .. sub(counts, place + 2)
end

-- The value that this share of the outcomes is above.
local function quantile(counts, from, share, outcomes)
  local left = float(float(share) * outcomes)
  for bucket = BUCKETS - 1, 0, -1 do
    local count = byte(counts, from + bucket + 1)
    if count > 0 and count >= left then
      local upper, under = lower(bucket + 1), lower(bucket)
      return float(upper - float(float((upper - under) * left) / count))
    end
    left = float(left - count)
  end
  return 1
end

-- What does not divide is carried to the bucket above, so that none of a thin tail is lost.
local function halved(counts)
  local out = {}
  for from = 0, BUCKETS, BUCKETS do
    local carry = 0
    for i = from + 1, from + BUCKETS do
      local count = byte(counts, i) + carry
      out[i] = floor(count / 2)
      carry = count % 2
    end
    out[from + BUCKETS] = out[from + BUCKETS] + carry
  end
  return char(unpack(out))
end

-- A success took so long, and so many times what its target takes through all.
local function took(row, micros, relative)
  local e = evidence_of(row)
  if e.latencies == '' then
    e.latencies = rep('\0', 2 * BUCKETS + 1) .. pack('<ffff', 0, 0, 0, 0)
  end
  local counts = sub(e.latencies, 1, 2 * BUCKETS)
  local outcomes, norm, p50, p95, jump = read('<Bffff', e.latencies, 2 * BUCKETS + 1)
  local healthy = has(row.flags, HEALTHY)
  counts = count_one(counts, bucket_of(float(float(micros) / 1024)))
  counts = count_one(counts, BUCKETS + bucket_of(float(relative * 256)))
  outcomes = outcomes + 1
  if outcomes % EACH == 0 then
    p50 = float(quantile(counts, 0, 0.5, outcomes) * 1024)
    p95 = float(quantile(counts, 0, 0.05, outcomes) * 1024)
    local tail = quantile(counts, BUCKETS, 0.05, outcomes)
    if norm > 0 and outcomes >= (healthy and LEAST or ANEW) then
      jump = float(tail / norm)
    end
    if healthy and (outcomes == MOST or (norm == 0 and outcomes >= LEAST)) then
      norm = norm == 0 and tail or float(norm + float(NORM_NEWEST * float(min(tail, float(2 * norm)) - norm)))
    end
  end
  if not healthy and outcomes >= ANEW then
    counts, outcomes = rep('\0', 2 * BUCKETS), 0
  elseif outcomes == MOST then
    counts, outcomes = halved(counts), MOST / 2
  end
  e.latencies = counts .. pack('<Bffff', outcomes, norm, p50, p95, jump)
  touch(row)
end

-- ---- what a change of standing makes forgotten

local function clear_latencies(e, all)
  if e.latencies ~= '' then
    local _, norm, p50, p95, jump = read('<Bffff', e.latencies, 2 * BUCKETS + 1)
    if all then
      p50, p95, jump = 0, 0, 0
    end
    e.latencies = rep('\0', 2 * BUCKETS) .. pack('<Bffff', 0, norm, p50, p95, jump)
  end
end

local function forget(row)
  local e = evidence_of(row)
  e.window, e.owed, e.stretch, e.since, e.counted, e.counted_faults = '', 0, 0, 0, 0, 0
  e.fails, e.wins_in_row, e.latency, e.last_fault = 0, 0, 0, NEVER
  if row.owner then
    e.marks = rep('\0', 16)
    clear_latencies(e, true)
  end
end

-- Of a cell: what it knows from before its address went out of service, or came back, says nothing any more.
local function of_address_epoch(cell, epoch)
  local e = evidence_of(cell)
  if e.address_epoch ~= epoch then
    e.address_epoch = epoch
    forget(cell)
    touch(cell)
  end
end

-- Of a cell: whether the tallies count one more of its outcomes in this step.
local function may_be_counted(cell)
  local e, step = evidence_of(cell), floor(now / STEP)
  if step ~= e.step then
    e.step, e.in_step = step, 0
  end
  touch(cell)
  if e.in_step >= MOST_PER_STEP then
    return false
  end
  e.in_step = e.in_step + 1
  return true
end

local function counted(row, fault)
  local e = evidence_of(row)
  e.counted, e.counted_faults = e.counted + 1, e.counted_faults + (fault and 1 or 0)
  touch(row)
end
