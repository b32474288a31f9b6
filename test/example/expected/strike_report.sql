WITH costs AS (
  SELECT "Origin State" AS state, count(*) AS strikes, countif("Effect Amount of damage" = 'Substantial')::BIGINT AS substantial,
    sum("Cost Total $")::BIGINT AS cost, max("Flight Date") AS last_strike
  FROM raw_strikes GROUP BY 1
), birds AS (
  SELECT "Origin State" AS state, "Wildlife Species" AS bird, count(*) AS seen
  FROM raw_strikes WHERE NOT starts_with("Wildlife Species", 'Unknown') GROUP BY ALL
)
SELECT s.code AS state_code, s.name AS state_name, s.region, c.strikes, c.substantial, c.cost AS cost_usd, c.last_strike,
  (SELECT b.bird FROM birds b WHERE b.state = s.name ORDER BY b.seen DESC, b.bird LIMIT 1) AS common_species,
  round(100.0 * (SELECT sum(o.cost) FROM costs o WHERE o.cost > c.cost OR (o.cost = c.cost AND o.state <= c.state))
        / (SELECT sum(o.cost) FROM costs o), 1) AS running_share_percent
FROM costs c JOIN state_list s ON s.name = c.state
