/**
 * `svc doctor`: checks whether everything that a run needs is in place (interface.md 4.4). It changes nothing in the warehouse.
 */
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { type DoctorCheck, doctorJson, renderDoctor } from '../render/doctor.ts'
import { type Command, environmentOption, jsonOption, reportOf } from './command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  brief: 'is everything there that a run needs?',
  summary: 'Check versions, project, warehouse, state tables and sources; say what to do about each FAIL.',
  arguments: [],
  options: [
    { name: 'write', summary: 'write database/server.sql: functions and types that the database has' },
    environmentOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc doctor', says: 'everything that dev needs' },
    { line: 'svc doctor --env prod --json', says: 'the same for prod, as JSON' },
  ],
  exitCodes: { 0: 'every check is OK', 1: 'a check has FAIL', 2: 'wrong usage or no project' },
  async run(context) {
    const workspace = await context.openWorkspace()
    const checks = await allChecks(workspace, context.version, context.options.flag('write'))
    const failed = checks.some(check => check.status === 'FAIL')
    return reportOf(checks, renderDoctor, doctorJson, failed ? 1 : 0)
  },
}

async function allChecks(
  workspace: OpenedWorkspace,
  version: string,
  writes: boolean,
): Promise<DoctorCheck[]> {
  const {
    checkFiles,
    checkNativePart,
    checkNode,
    checkProject,
    checkSources,
    checkVariables,
    checkWarehouse,
  } = await import('./doctor-checks.ts')
  const { checkTracked } = await import('./doctor-git.ts')
  const missing = await checkNativePart()
  const first = [
    checkNode(version, process.versions.node),
    ...missing,
    checkProject(workspace),
    ...checkVariables(workspace),
    ...(await checkTracked(workspace)),
  ]
  // All other checks open the warehouse or a file with DuckDB, and would fail for the same reason.
  if (missing.length > 0) return first
  return [
    ...first,
    ...(await checkFiles(workspace)),
    ...(await checkWarehouse(workspace, writes)),
    ...(await checkSources(workspace)),
  ]
}
