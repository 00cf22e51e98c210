-- What is measured and how it is remembered, as functions of what was known and what is new: the arithmetic of core's Row,
-- Latencies and Tally. Java counts latencies in floats, so every step that may not be exact is rounded to their 24 bits; what
-- is a difference of whole numbers, or a product with a power of two, is exact as it is.

-- Adding such a number leaves no room for more than 24 bits.
local function float(value)
  local _, exponent = math.frexp(value)
  local big = 3 * 2 ^ (exponent + 27)
  return value + big - big
end

-- The average of recent latencies.
local function averaged(average, latency)
  local micros = float(latency)
  return average == 0 and micros or float(average + float(float(2 / (WINDOW_SIZE + 1)) * float(micros - average)))
end

-- ---- latencies of an address: 2 x 32 counts, outcomes, norm, median, 95th percentile, jump

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

-- The value that this share of the outcomes is above.
local function quantile(counts, from, share, outcomes)
  local left, all = float(float(share) * outcomes), {byte(counts, from + 1, from + BUCKETS)}
  for bucket = BUCKETS - 1, 0, -1 do
    local count = all[bucket + 1]
    if count > 0 and count >= left then
      local upper = lower(bucket + 1)
      return float(upper - float((upper - lower(bucket)) * left / count))
    end
    left = left - count
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

-- What is known once a success took so long, and so many times what its target takes through all.
local function timed(latencies, healthy, micros, relative)
  if latencies == '' then
    latencies = rep('\0', 2 * BUCKETS + 17)
  end
  local outcomes, norm, p50, p95, jump = read('<Bffff', latencies, 2 * BUCKETS + 1)
  local at, also = bucket_of(float(micros) / 1024) + 1, BUCKETS + bucket_of(relative * 256) + 1
  local counts = sub(latencies, 1, at - 1) .. char((byte(latencies, at) + 1) % 256) .. sub(latencies, at + 1, also - 1)
    .. char((byte(latencies, also) + 1) % 256) .. sub(latencies, also + 1, 2 * BUCKETS)
  outcomes = outcomes + 1
  if outcomes % EACH == 0 then
    p50 = quantile(counts, 0, 0.5, outcomes) * 1024
    p95 = quantile(counts, 0, 0.05, outcomes) * 1024
    local tail = quantile(counts, BUCKETS, 0.05, outcomes)
    if norm > 0 and outcomes >= (healthy and LEAST or ANEW) then
      jump = float(tail / norm)
    end
    if healthy and (outcomes == MOST or (norm == 0 and outcomes >= LEAST)) then
      norm = norm == 0 and tail or float(norm + float(NORM_NEWEST * float(min(tail, 2 * norm) - norm)))
    end
  end
  if not healthy and outcomes >= ANEW then
    counts, outcomes = rep('\0', 2 * BUCKETS), 0
  elseif outcomes == MOST then
    counts, outcomes = halved(counts), MOST / 2
  end
  return counts .. pack('<Bffff', outcomes, norm, p50, p95, jump)
end

-- ---- what is typical of a target through all addresses

-- What is typical once a success took so long, and how many times that it took.
local function typical_of(typical, micros)
  local latency = float(micros)
  if typical == 0 then
    typical = max(1, latency)
  end
  local step = max(0.5, min(float(1.6), float(latency / typical))) - 1
  typical = max(1, float(typical + float(0.25 * step * typical)))
  return typical, float(latency / typical)
end

-- ---- what is usual

-- By what the sums of what is usual are multiplied before the next outcome is added; nil where it is too soon to ask.
local function faded(usual, usual_at)
  if now - usual_at < FADE then
    return nil
  end
  return usual > KEPT_OUTCOMES and max(2 ^ (-(now - usual_at) / HALF_LIFE), KEPT_OUTCOMES / usual) or 1
end
