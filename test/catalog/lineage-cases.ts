/** `output = origin` where the column passes through unchanged, `output <- origins` where it is computed. */
export const lineageCases: readonly (readonly [string, readonly string[]])[] = [
  [
    'select origin, delay as late, delay * 2 as twice, 1 as one, count(*) over () as n from @flights',
    ['origin = flights.origin', 'late = flights.delay', 'twice <- flights.delay', 'one <-', 'n <-'],
  ],
  [
    'select * from @carriers',
    [
      'id = carriers.id',
      'origin = carriers.origin',
      'amount = carriers.amount',
      'day = carriers.day',
      'counts = carriers.counts',
    ],
  ],
  [
    'select c.* exclude (amount) from @carriers c',
    ['id = carriers.id', 'origin = carriers.origin', 'day = carriers.day', 'counts = carriers.counts'],
  ],
  [
    'select * replace (upper(origin) as origin) from @carriers',
    [
      'id = carriers.id',
      'origin <- carriers.origin',
      'amount = carriers.amount',
      'day = carriers.day',
      'counts = carriers.counts',
    ],
  ],
  [
    'select * rename (amount as money) from @carriers',
    [
      'id = carriers.id',
      'origin = carriers.origin',
      'money = carriers.amount',
      'day = carriers.day',
      'counts = carriers.counts',
    ],
  ],
  [
    'with k as (select origin as o, sum(delay) as d from @flights group by all) select o, d, d / 2 as half from k',
    ['o = flights.origin', 'd <- flights.delay', 'half <- flights.delay'],
  ],
  [
    'with a as (select origin from @flights), b as (select origin as x from a) select x from b',
    ['x = flights.origin'],
  ],
  [
    'with k(p, q) as (select origin, delay from @flights) select q, p from k',
    ['q = flights.delay', 'p = flights.origin'],
  ],
  [
    'with recursive t as (select id, id as root from @carriers union all select c.id, t.root from @carriers c join t on t.id = c.amount) select id, root from t',
    ['id = carriers.id', 'root = carriers.id'],
  ],
  [
    'select origin from @flights union all select iata from @airports',
    ['origin = airports.iata flights.origin'],
  ],
  [
    'select origin, delay as v from @flights union by name select amount as v, origin from @carriers',
    ['origin = carriers.origin flights.origin', 'v = carriers.amount flights.delay'],
  ],
  ['select origin from @flights except select iata from @airports', ['origin = flights.origin']],
  [
    'select f.origin, a.city, c.amount from @flights f join @airports a on a.iata = f.origin left join @carriers c using (origin)',
    ['origin = flights.origin', 'city = airports.city', 'amount = carriers.amount'],
  ],
  ['select origin from @flights join @carriers using (origin)', ['origin = flights.origin']],
  ['select origin from @flights right join @carriers using (origin)', ['origin = carriers.origin']],
  [
    'select origin from @flights full join @carriers using (origin)',
    ['origin = carriers.origin flights.origin'],
  ],
  [
    'select (select max(amount) from @carriers c where c.origin = f.origin) as m from @flights f',
    ['m <- carriers.amount'],
  ],
  [
    'select origin in (select iata from @airports) as known from @flights',
    ['known <- airports.iata flights.origin'],
  ],
  [
    'select exists (select 1 from @airports where iata = origin) as known from @flights',
    ['known <- airports.iata flights.origin'],
  ],
  [
    'select row_number() over (partition by origin order by date) as n, sum(delay) over w as s from @flights window w as (partition by destination)',
    ['n <- flights.date flights.origin', 's <- flights.delay flights.destination'],
  ],
  [
    'select l.city from @flights f, lateral (select city from @airports a where a.iata = f.origin) l',
    ['city = airports.city'],
  ],
  [
    'select delay + 1 as later, later * 2 as twice from @flights',
    ['later <- flights.delay', 'twice <- flights.delay'],
  ],
  [
    'select case when cancelled then 0 else delay end as d, coalesce(delay, distance) as c from @flights',
    ['d <- flights.cancelled flights.delay', 'c <- flights.delay flights.distance'],
  ],
  [
    'select detail.a as a, f.detail.b as b, detail as whole from @flights f',
    ['a <- flights.detail', 'b <- flights.detail', 'whole = flights.detail'],
  ],
  [
    'select unnest(tags) as tag, u.t from @flights, unnest(tags) u(t)',
    ['tag <- flights.tags', 't <- flights.tags'],
  ],
  [
    "select {'o': origin, 'd': delay} as s, [origin, destination] as l from @flights",
    ['s <- flights.delay flights.origin', 'l <- flights.destination flights.origin'],
  ],
  ['select list_transform(tags, t -> t || origin) as x from @flights', ['x <- flights.origin flights.tags']],
  [
    'select cast(delay as integer) as d, origin::varchar as o from @flights',
    ['d <- flights.delay', 'o <- flights.origin'],
  ],
  [
    "select * from (pivot @carriers on origin in ('A', 'B') using sum(amount) group by day)",
    ['day = carriers.day', 'A <- carriers.amount carriers.origin', 'B <- carriers.amount carriers.origin'],
  ],
  [
    'select * from (unpivot (select id::decimal(12,2) as id, amount, origin from @carriers) on id, amount into name k value v)',
    ['origin = carriers.origin', 'k <-', 'v <- carriers.amount carriers.id'],
  ],
  [
    "select min(columns(['id', 'amount'])) from @carriers",
    ['id <- carriers.id', 'amount <- carriers.amount'],
  ],
  ["select columns('i.*') from @carriers", ['id = carriers.id', 'origin = carriers.origin']],
  [
    'select max(delay) filter (where cancelled) as m, string_agg(origin order by date) as s from @flights',
    ['m <- flights.cancelled flights.delay', 's <- flights.date flights.origin'],
  ],
  [
    'select a.origin as x, b.origin as y from @flights a join @flights b on a.origin = b.destination',
    ['x = flights.origin', 'y = flights.origin'],
  ],
  ['select x.o from (select origin as o from (select * from @flights)) x', ['o = flights.origin']],
  ['select v.n, f.origin from @flights f, (values (1)) v(n)', ['n <-', 'origin = flights.origin']],
  [
    'select origin, delay from @flights qualify row_number() over (order by date) = 1',
    ['origin = flights.origin', 'delay = flights.delay'],
  ],
  ["select extra->'a' as a, extra->>'b' as b from @airports", ['a <- airports.extra', 'b <- airports.extra']],
  [
    'select origin as destination, destination as origin from @flights',
    ['destination = flights.origin', 'origin = flights.destination'],
  ],
  [
    'select f from @carriers f',
    ['f <- carriers.amount carriers.counts carriers.day carriers.id carriers.origin'],
  ],
  [
    'select distinct on (origin) origin, date from @flights order by origin',
    ['origin = flights.origin', 'date = flights.date'],
  ],
  ['select #2, #1 from @carriers', ['origin = carriers.origin', 'id = carriers.id']],
  [
    'select f.origin, c.amount from @flights f asof join @carriers c on f.origin = c.origin and f.date >= c.day',
    ['origin = flights.origin', 'amount = carriers.amount'],
  ],
  [
    'select f.origin, c.amount from @flights f positional join @carriers c',
    ['origin = flights.origin', 'amount = carriers.amount'],
  ],
  ['select f.origin from @flights f semi join @carriers c using (origin)', ['origin = flights.origin']],
  ['select a, b.c as c, upper(d) as e from @loose', ['a = loose.a', 'c <- loose.b', 'e <- loose.d']],
  ['select * from @loose', []],
  [
    'select now() as n, current_date as d, random() as r, origin from @flights',
    ['n <-', 'd <-', 'r <-', 'origin = flights.origin'],
  ],
  ['from @carriers select amount, id', ['amount = carriers.amount', 'id = carriers.id']],
  [
    "select date_trunc('month', date) as m, sum(delay) as s from @flights group by m order by s",
    ['m <- flights.date', 's <- flights.delay'],
  ],
  [
    'select origin from @flights intersect select origin from @carriers',
    ['origin = carriers.origin flights.origin'],
  ],
  [
    'select if(delay > 3, origin, destination) as place from @flights',
    ['place <- flights.delay flights.destination flights.origin'],
  ],
  ["select counts['x'] as x from @carriers", ['x <- carriers.counts']],
  [
    'select any_value(origin), count(distinct destination) as n from @flights',
    ['any_value(origin) <- flights.origin', 'n <- flights.destination'],
  ],
]
