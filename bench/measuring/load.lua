-- What wrk sends: requests from a file made by load.ts, one after the other in random order, or new links. Where the file has
-- several heads, each request takes one of them and comes from an address of its own.
-- A path may have a host behind it. With `keep=host` each thread keeps to one of them.
-- wrk -s load.lua URL -- file=PATH [create=TAG] [rate=PER_SECOND] [seed=NUMBER] [keep=host]
local heads, crowd, paths, tag, made = '', {}, {}, nil, 0
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('number', threads)
end

local function host_of(line)
  return line:match(' (%S+)$')
end

-- The paths of the host that a thread draws.
local function kept()
  local host, same = host_of(paths[math.random(#paths)]), {}
  for _, line in ipairs(paths) do
    if host_of(line) == host then same[#same + 1] = line end
  end
  return same
end

local function read(path)
  local in_head = true
  for line in io.lines(path) do
    if not in_head then
      paths[#paths + 1] = line
    elseif line == '' then
      in_head = false
    elseif line == '-' then
      crowd[#crowd + 1], heads = heads, ''
    else
      heads = heads .. line .. '\r\n'
    end
  end
end

-- Requests leave at an even pace, and after a stall faster until they have caught up; latencies leave this wait out.
local function pace(rate)
  local ffi = require('ffi')
  ffi.cdef('typedef struct { long s; long ns; } clock; int clock_gettime(int, clock *);')
  local clock, slot = ffi.new('clock'), nil
  delay = function()
    ffi.C.clock_gettime(1, clock)
    local now = tonumber(clock.s) * 1000 + tonumber(clock.ns) / 1e6
    slot = slot and math.max(slot + 1000 / rate, now - 1000) or now
    return math.max(0, slot - now)
  end
end

function init(args)
  local options = {}
  for _, arg in ipairs(args) do
    local name, value = arg:match('^(%w+)=(.*)$')
    if name then options[name] = value end
  end
  read(options.file)
  tag = options.create
  if options.rate then pace(tonumber(options.rate)) end
  math.randomseed(tonumber(options.seed or 1) * 1000 + number)
  if options.keep then paths = kept() end
  for index, line in ipairs(paths) do
    local path, host = line:match('^(%S+)'), host_of(line)
    local heads = host and 'Host: ' .. host .. '\r\n' .. heads or heads
    paths[index] = #crowd > 0 and 'GET ' .. path .. ' HTTP/1.1\r\n' or 'GET ' .. path .. ' HTTP/1.1\r\n' .. heads .. '\r\n'
  end
end

local function create()
  made = made + 1
  local body = '{"url":"https://example.com/new/' .. tag .. '/' .. made .. '?utm_source=bench","title":"New"}'
  return 'POST /api/v1/shorten HTTP/1.1\r\n' .. heads .. 'Content-Length: ' .. #body .. '\r\n\r\n' .. body
end

-- Millions of them; no packet goes there.
local function from_anywhere()
  local a, b, c, d = math.random(20, 99), math.random(0, 255), math.random(0, 255), math.random(1, 254)
  return 'X-Forwarded-For: ' .. a .. '.' .. b .. '.' .. c .. '.' .. d .. '\r\n\r\n'
end

function request()
  if tag then return create() end
  local line = paths[math.random(#paths)]
  return #crowd > 0 and line .. crowd[math.random(#crowd)] .. from_anywhere() or line
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"answered":%d,"seconds":%.4f,"p50":%.4f,"p99":%.4f,"failed":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed
  ))
end
