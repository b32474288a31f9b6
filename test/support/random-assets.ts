/** Assets as people write and break them: readers of what is missing, of sources, of variables, with tests in SQL. */

export type Random = () => number
export const pick = (random: Random, limit: number): number => Math.floor(random() * limit)
/** How many assets the projects have. */
export const size = 14

/** Readers of what is missing, of what comes later, of sources, of variables, with tests in SQL, broken and whole. */
export function randomAsset(index: number, random: Random): string {
  const ref = () => `{{ ref('m_${pick(random, random() < 0.1 ? size + 6 : Math.max(1, index))}') }}`
  const wrong = random() < 0.12 ? 'idd' : 'id'
  const bodies = [
    `SELECT ${pick(random, 9)} AS id, 'a' AS name, ${random() < 0.5 ? '1.5::DOUBLE' : "'t'"} AS amount`,
    `SELECT ${wrong}, name, amount FROM ${ref()}`,
    `SELECT * FROM ${ref()}`,
    `SELECT a.id, b.name, a.amount + 1 AS amount FROM ${ref()} a JOIN ${ref()} b ON a.id = b.${wrong}`,
    `SELECT id, name, sum(amount) AS amount, now() AS at FROM ${ref()} GROUP BY ALL`,
    `SELECT id, name, {{ var('v') }} AS amount FROM ${ref()}`,
    'SELECT * FROM {{ source }}',
    `SELECT id, name, amount FROM m_${pick(random, size)}`,
    'SELEC id',
  ]
  const body = bodies[pick(random, index === 0 ? 1 : bodies.length)] ?? ''
  const ingest = body.includes('source')
    ? 'ingest: {type: rest_api, endpoint: "https://x.example", resource: r}'
    : 'ingest: none'
  const tests = [
    '',
    'tests:\n  - not_null: id\n',
    `tests:\n  - sql: SELECT * FROM {{ this }} JOIN ${ref()} USING (id) WHERE nam = 'x'\n`,
    "tests:\n  - expression: amount > 0\n  - unique: id\n    where: name <> 'x'\n",
  ][pick(random, 4)]
  const comment = random() < 0.3 ? `# ${pick(random, 99)}\n` : ''
  return `${comment}name: m_${index}\n${ingest}\ntransform: |\n  ${body}\n${tests}`
}

export const pathOf = (index: number): string => `models/m_${index}.svc`
