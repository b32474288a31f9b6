/**
 * `svc publish`: sends what production has and a target has not acknowledged. The warehouse is open at the start,
 * to read production, and at the end, to keep what was acknowledged; in between nothing but the target is waited
 * for. What happens in between is in the journal of the publish, from which the next one goes on.
 */
import { rmSync } from 'node:fs'
import type { Warning } from '@svc/server/contract'
import {
  type Asset,
  defaultCredentials,
  destinationCalled,
  nearestNames,
  nodeAt,
  type PublishTarget,
  readTarget,
  targetNames,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { collectSecrets, type Secrets } from '../ingest/credentials.ts'
import { openOptions } from '../run/begin-run.ts'
import { placeIn } from '../run/check-files.ts'
import type { EmitEvent } from '../run/events.ts'
import { initialiseState } from '../run/initialise-state.ts'
import { covers } from '../run/warnings.ts'
import type { PublishRecord } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { Attempt, baseOf, earlierAttempts, endDead } from './attempt.ts'
import { Passing, Refused } from './destination.ts'
import { lookAtLeft } from './doubts.ts'
import { findIn } from './find-in.ts'
import { type GivenDestination, givenDestination } from './given-destination.ts'
import { massChange } from './guard.ts'
import { freshFolder, leaveFolder, publishFolder } from './journal.ts'
import { openDestination } from './open-destination.ts'
import { finished, started } from './publish-events.ts'
import { closing, type Publishing, type PublishRequest, type UnderLease } from './publishing.ts'
import { type Production, readProduction } from './read-production.ts'
import { noCounts, type PublishReport } from './report.ts'
import { leftElsewhere, resumeLeft } from './resume.ts'
import { samplesOf, shownRejects } from './samples.ts'
import { emptyReport, resumedFrom, sendDifference, sentAgain } from './send-difference.ts'
import { placeNow, placesOf, type VeryPlace } from './very-place.ts'

/** Throws SvcError; what the target refused is in the report. */
export async function publishAsset(
  workspace: OpenedWorkspace,
  request: PublishRequest,
  emit: EmitEvent,
): Promise<PublishReport> {
  const asset = workspace.asset(request.asset)
  const target = publishTarget(asset, request.to, workspace)
  refuseMistakes(workspace, asset, target)
  const attempt = new Attempt(workspace, { asset: asset.name, target: target.name, mode: target.mode }, emit)
  const about = { workspace, asset, target, request, attempt, emit: attempt.emit }
  if (request.isDryRun) return opened(about, look)
  attempt.emit(started(attempt, workspace))
  const { guard } = workspace.world
  const work = () => opened(about, send)
  try {
    const report = await (guard === undefined ? work() : guard(work))
    attempt.emit(finished(attempt, workspace))
    return report
  } catch (error) {
    attempt.emit(finished(attempt, workspace, error))
    throw error
  }
}

/** Throws SvcError `unknown-destination`. */
export function publishTarget(
  asset: Asset,
  written: string,
  workspace: Pick<Workspace, 'project' | 'environment' | 'world'>,
): PublishTarget {
  const { project, environment, world } = workspace
  const names = [...new Set([...targetNames(asset), ...Object.keys(project.settings.destinations)])]
  const name = destinationCalled(written, names)
  const given = names.includes(name) ? undefined : givenDestination(asset, name, world.env)
  if (given !== undefined) return givenTarget(asset, name, given)
  const { target, problem } = readTarget(asset, name, project.settings)
  if (problem !== undefined && names.includes(name)) {
    const { message, hint } = problem
    throw new SvcError('unknown-destination', message, { hint, asset: asset.name, place: asset.path })
  }
  if (problem !== undefined) throw withoutTarget(asset, written, names)
  if (!target.environments.includes(environment.name)) throw wrongEnvironment(target, environment.name)
  return target
}

/**
 * A key of the target that cannot be read would count as absent, and `fields` or `where` are there to keep something in. What is wrong
 * elsewhere in the file is no matter: what is sent was built before. Throws SvcError `invalid-project`.
 */
function refuseMistakes(workspace: Workspace, asset: Asset, { name }: PublishTarget): void {
  const written = nodeAt(asset.tree, ['publish', name])?.range
  if (written === undefined) return
  const mistake = asset.diagnostics.find(
    ({ severity, range }) => severity === 'error' && range.start >= written.start && range.end <= written.end,
  )
  if (mistake === undefined) return
  throw new SvcError('invalid-project', mistake.message, {
    hint: mistake.hint ?? 'Nothing was sent. svc validate shows every error at its place.',
    asset: asset.name,
    place: placeIn(workspace, asset.path, mistake.range),
  })
}

/** What is sent cannot be called back, so an environment for trying things out has to be named. */
function wrongEnvironment({ name, environments }: PublishTarget, environment: string): SvcError {
  const allowed = environments.map(each => `--env ${each}`).join(', ')
  return new SvcError('wrong-usage', `${name} takes nothing from ${environment}`, {
    hint: `It takes ${allowed}. To publish from ${environment}, too, name it in environments of the target: environments: [prod, ${environment}].`,
  })
}

/** Throws SvcError `unknown-destination`. */
function givenTarget(asset: Asset, name: string, { destination, secret }: GivenDestination): PublishTarget {
  const { target, problem } = readTarget(asset, name, { destinations: { [name]: destination } })
  if (problem === undefined) return { ...target, credentials: secret }
  throw new SvcError('unknown-destination', problem.message, { hint: problem.hint, asset: asset.name })
}

function withoutTarget(asset: Asset, name: string, names: readonly string[]): SvcError {
  const near = nearestNames(name, names)
  const known =
    names.length === 0
      ? `Describe it under publish in ${asset.path}, or under destinations in svc.yaml${orInVariable(name)}.`
      : `There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`
  return new SvcError('unknown-destination', `"${asset.name}" has no target "${name}"`, {
    hint: near.length === 0 ? known : `Did you mean "${near[0]}"? ${known}`,
    asset: asset.name,
  })
}

/** Nobody wants to read the name of a variable that fills a screen. */
function orInVariable(name: string): string {
  return name.length > 64 ? '' : `, or set ${defaultCredentials(name)} to its address`
}

async function opened<T>(
  about: Omit<Publishing, 'destination' | 'secrets' | 'folder'>,
  work: (publishing: Publishing) => Promise<T>,
): Promise<T> {
  const { workspace, asset, target, request } = about
  const { root, world, signal } = workspace
  const secrets = collectSecrets()
  const folder = publishFolder(workspace, asset.name, target.name)
  const place = request.isDryRun ? `${folder}.look-${world.pid}` : folder
  const { env, now } = world
  const destination = await openDestination({ target, root, env, now, secrets, signal, folder: place })
  try {
    return await work({ ...about, destination, secrets, folder: place })
  } catch (error) {
    throw withoutSecrets(told(error), secrets)
  } finally {
    await destination.close()
  }
}

/** Before there are batches nothing is tried again. */
function told(error: unknown): unknown {
  if (error instanceof Passing) {
    const { code, message, hint, cause } = error
    return new SvcError(code, message, { hint, cause })
  }
  return error instanceof Refused ? new SvcError('destination-shape', error.message, { cause: error }) : error
}

/** A driver may quote what it was given. */
function withoutSecrets(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof SvcError)) return error
  const hidden = secrets.hide(error.message)
  if (hidden === error.message) return error
  const withoutValues = error.withoutValues && secrets.hide(error.withoutValues)
  return error.retold(hidden, { withoutValues, excerpt: undefined })
}

// ---------------------------------------------------------------- a look

/** `--dry-run`: writes nothing, at the target or in the warehouse. */
async function look(publishing: Publishing): Promise<PublishReport> {
  const { workspace, asset, attempt, destination, folder, emit, request, target } = publishing
  const warehouse = await workspace.warehouse()
  freshFolder(folder)
  try {
    const left = await lookAtLeft(publishFolder(workspace, asset.name, target.name), destination)
    const session = await warehouse.open('read', openOptions(workspace, emit))
    if (session === undefined) throw neverRun(publishing)
    const { isFull } = request
    const read = await closing(session, async () => {
      // Without an earlier attempt there may be no table yet of what was acknowledged.
      const earlier = await earlierAttempts(session, attempt.to)
      const places = placesOf(destination, earlier)
      const production = await readProduction(session, { ...publishing, to: attempt.to, places, isFull })
      return { production, places, earlier }
    })
    const here = await placeNow(destination, read.places)
    const another = anotherTable(publishing, here, read.earlier)
    const production = ofThisTable(read.production, here)
    const { creates } = await destination.prepare(production.fields, 'check')
    return await findIn(publishing, { production, left }, async (difference, local) => {
      const tooMuch = massChange(target, difference)
      const again = sentAgain(publishing, difference)
      const elsewhere = left && leftElsewhere(publishing, left.doubts)
      return {
        ...emptyReport(publishing, production, noCounts),
        creates,
        planned: { ...difference.counts, refused: 0 },
        known: difference.known,
        masked: [...production.door.personal],
        warnings: [
          ...production.door.warnings,
          ...(another === undefined ? [] : [another]),
          ...(tooMuch === undefined ? [] : [massWarning(asset.name, tooMuch)]),
          ...(again === undefined ? [] : [again]),
          ...(elsewhere === undefined ? [] : [elsewhere]),
        ],
        resumed: resumedFrom(left?.doubts),
        samples: await samplesOf(local, publishing, production),
        rejects: shownRejects(
          difference.invalid.map(row => ({ ...row, operation: 'insert' })),
          publishing,
          production,
        ),
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What another table has acknowledged is not in this one. */
function ofThisTable(production: Production, { isSame }: VeryPlace): Production {
  return isSame ? production : { ...production, knownPath: undefined }
}

function massWarning(asset: string, { message, hint }: SvcError): Warning {
  return { code: 'mass-change', asset, message, hint: hint ?? null }
}

function neverRun({ asset, workspace }: Publishing): SvcError {
  return new SvcError('not-deployed', `"${asset.name}" is not live in ${workspace.environment.name}`, {
    hint: svc => `What is published comes from production: ${svc(`run +${asset.name}`)}`,
    asset: asset.name,
  })
}

// ---------------------------------------------------------------- a publish

async function send(publishing: Publishing): Promise<PublishReport> {
  const { workspace, attempt, asset, target } = publishing
  const { world, environment } = workspace
  const warehouse = await workspace.warehouse()
  const lease = await warehouse.acquireLease(
    `${environment.stateName}_publish_${target.name}_${asset.name}`,
    {
      runId: attempt.runId,
      command: `publish ${asset.name} --to ${target.name}`,
      user: world.user,
      host: world.host,
      pid: world.pid,
      since: attempt.startedAt.toISOString(),
    },
  )
  try {
    return await underLease({ ...publishing, assertHeld: lease.assertHeld })
  } catch (error) {
    await noteFailure(publishing, error)
    throw error
  } finally {
    leaveFolder(publishing.folder)
    await lease.release()
  }
}

async function underLease(publishing: UnderLease): Promise<PublishReport> {
  const { workspace, attempt, destination, folder, emit, request } = publishing
  const warehouse = await workspace.warehouse()
  const left = await resumeLeft(publishing)
  freshFolder(folder)
  const session = await warehouse.open('write', openOptions(workspace, emit))
  const { production, places, earlier, base, isUnclean, before } = await closing(session, async () => {
    await initialiseState(session, emit)
    const earlier = await earlierAttempts(session, attempt.to)
    const at = workspace.world.now().toISOString()
    await session.state.commit(endDead(earlier, at, new Map()))
    const { isFull } = request
    const places = placesOf(destination, earlier)
    const production = await readProduction(session, { ...publishing, to: attempt.to, places, isFull })
    // A process that dies after this has told them too.
    for (const warning of production.door.warnings) emit({ type: 'warning', ...warning })
    const [place = destination.place] = places
    await attempt.begin(session, { place, build_key: production.build.build_key })
    const isUnclean = earlier[0] !== undefined && earlier[0].status !== 'published'
    const last = earlier.find(({ status }) => status === 'published')
    const before = last?.warnings ?? []
    return {
      production,
      places,
      earlier,
      base: baseOf(workspace.project.settings.name, attempt.to, earlier),
      isUnclean,
      before,
    }
  })
  if (isUnclean) await tidyUp(publishing)
  const here = await placeNow(destination, places)
  const another = anotherTable(publishing, here, earlier)
  if (another !== undefined) emit({ type: 'warning', ...another })
  return sendDifference(publishing, {
    production: ofThisTable(production, here),
    isAnother: !here.isSame,
    ...{ base, left },
    refuseNewOnes: () => refuseNewOnes(publishing, before),
  })
}

/** Without an earlier attempt that had rows acknowledged there is nothing that another table could have. */
function anotherTable(
  { attempt: { to }, destination }: Publishing,
  { isSame }: VeryPlace,
  earlier: readonly PublishRecord[],
): Warning | undefined {
  if (isSame || earlier.every(({ counts }) => counts === null)) return undefined
  return {
    ...({ code: 'target-replaced', asset: to.asset } as const),
    message: `${destination.shown} is not the table of the last publish of ${to.asset}: all rows are sent`,
    hint: 'It was made anew, or is gone, or the destination leads elsewhere; what the other one has is left as it is.',
  }
}

/** Throws SvcError `new-warnings` before anything is sent, if it is strict and the last publish had not the same warnings. */
function refuseNewOnes({ attempt, request, workspace }: Publishing, before: readonly Warning[]): void {
  if (!(request.isStrict ?? workspace.environment.warnings === 'fail')) return
  const [first, ...more] = attempt.warnings.filter(each => !before.some(known => covers(known, each)))
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  throw new SvcError('new-warnings', `new warning under --strict: ${first.message}${others}`, {
    hint: 'Nothing was sent. See to its cause; or publish without --strict (in svc.yaml: warnings: show), and the warning counts as known from then on.',
    asset: attempt.to.asset,
  })
}

/** What an attempt left that did not come to its end is no reason not to send: it is told, and looked for again next time. */
async function tidyUp({ destination, attempt, emit }: Publishing): Promise<void> {
  try {
    await destination.tidy?.()
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const message = `what an earlier publish left half written is still there: ${error.message}`
    emit({
      type: 'warning',
      code: 'left-at-target',
      asset: attempt.to.asset,
      message,
      hint: error.hint ?? null,
    })
  }
}

/** An attempt that failed before or after it had a row is in the history all the same. */
async function noteFailure({ workspace, attempt, emit }: Publishing, error: unknown): Promise<void> {
  if (attempt.record.status !== 'running') return
  try {
    const warehouse = await workspace.warehouse()
    // An interrupt has to be noted too, so its signal does not count here.
    const { onWait } = openOptions(workspace, emit)
    const session = await warehouse.open('write', { waitMs: 2000, ...(onWait !== undefined && { onWait }) })
    await closing(session, async () => {
      await initialiseState(session, emit)
      await session.state.commit(attempt.end('Failed', null, error))
    })
  } catch {
    // The error that matters is told by the command, and is in its log.
  }
}
