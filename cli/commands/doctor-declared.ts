/** What the database of a project has beyond the engine itself, in `svc doctor`: extensions, and with `--write` the file that declares the rest. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { engines, svcIn } from '@svc/server/language'
import { replaceWhole } from '../engine/artifacts/write-file.ts'
import type { Warehouse } from '../engine/warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { DoctorCheck } from '../render/doctor.ts'
import { countOf } from '../render/numbers.ts'
import { advise, fail, failOf, ok } from './doctor-check.ts'

interface Asked {
  readonly workspace: OpenedWorkspace
  readonly warehouse: Warehouse
  readonly writes: boolean
}

export async function checkDeclared({ workspace, warehouse, writes }: Asked): Promise<DoctorCheck[]> {
  const { project, root, environment } = workspace
  const { extensions, declarations } = project.engine
  if (declarations === undefined || extensions === undefined) return writes ? [undeclarable(workspace)] : []
  const listed = project.settings.extensions.map(({ name }) => name).filter(extensions.knows)
  try {
    const found = await warehouse.declared?.(extensions.knows)
    if (found === undefined) return []
    const missing = listed.filter(name => !found.extensions.includes(name))
    const checks = missing.map(name =>
      fail(
        'extensions',
        `svc.yaml lists ${name}, which the database does not have`,
        `CREATE EXTENSION "${name}";`,
      ),
    )
    if (!writes) return checks
    const path = join(root, declarations.asked)
    mkdirSync(dirname(path), { recursive: true })
    const line = svcIn(environment.name)('doctor --write')
    const head = `-- Written by ${line}: what the database has beyond ${project.engine.label} itself. Commit it.`
    replaceWhole(path, [[head, ...found.statements.map(sql => `${sql};`)].join('\n\n'), '\n'], process.pid)
    const unlisted = found.extensions.filter(name => extensions.knows(name) && !listed.includes(name))
    const written = `${declarations.asked} has ${countOf(found.statements.length, 'statement')}`
    return [...checks, unlisted.length === 0 ? ok('database', written) : unlistedCheck(written, unlisted)]
  } catch (error) {
    return [failOf('database', error, 'Is the address in svc.yaml right?', environment.name)]
  }
}

function unlistedCheck(written: string, names: readonly string[]): DoctorCheck {
  const advice = `List the extensions that the SQL uses in svc.yaml: \`extensions: [${names.join(', ')}]\`.`
  return advise('database', `${written}, and none of ${names.join(', ')}`, advice)
}

function undeclarable({ project: { engine } }: OpenedWorkspace): DoctorCheck {
  const others = engines.filter(({ declarations }) => declarations !== undefined).map(({ label }) => label)
  return fail(
    'database',
    `nothing is written: on ${engine.label} no file declares functions and types of the database`,
    `Leave --write out, or name an environment on ${others.join(' or ')} with --env.`,
  )
}
