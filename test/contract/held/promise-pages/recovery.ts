/** The promises of docs/recovery.md. */
import { by, type PageEntries } from '../held.ts'

const crash = 'engine/run/crash.test.ts'
const processes = 'engine/warehouse/conformance/processes.ts'
const interrupt = 'engine/run/interrupt.test.ts'
const restResume = 'engine/ingest/rest-resume.test.ts'
const contractSentences = 'cli/contract-sentences.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const failures = 'engine/run/failures.test.ts'
const attemptedRuns = 'engine/run/attempted-runs.test.ts'
const logs = 'cli/logs.test.ts'
const lockFile = 'cli/lock-file.test.ts'
const renewal = 'engine/run/renewal.test.ts'
const textLayouts = 'engine/run/text-layouts.test.ts'
const selection = 'engine/run/selection.test.ts'
const lostLease = 'engine/run/lost-lease.test.ts'
const publishLostLease = 'cli/publish/lost-lease.test.ts'
const gc = 'engine/run/gc.test.ts'
const rollback = 'engine/run/rollback.test.ts'
const collectMeanwhile = 'engine/run/collect-meanwhile.test.ts'

export const recoveryPromises: PageEntries = {
  page: 'recovery.md',
  held: {
    'cd4016 Tables that were complete are': [
      ...by(crash, 'the next run says what it found, reuses what is complete and goes on'),
      ...by(processes, 'leave every build with its record, and no record without its build'),
    ],
    '3a7f02 Every source is fetched again,': by(
      interrupt,
      'a source that is complete counts for the retry only: a run fetches it again',
    ),
    'cca1de The fetch of a web': by(
      restResume,
      'goes on from its next page and gives the same load',
      '$path with $what is loaded as it is now',
    ),
    '6c8f20 svc status and svc plan': [
      ...by(interrupt, 'status and plan say it in a line, and a run goes on from it'),
      ...by(contractSentences, 'by a dry run or a plan changes nothing'),
    ],
    'dabe22 Pages that were fetched and': by(
      pagePromises,
      'while a source is fetched the warehouse is open to others, and what has come to its owner alone',
    ),
    '8fe3b5 If you delete .svc/ ,': by(
      pagePromises,
      'a folder .svc that is deleted costs a fetch and nothing else',
    ),
    '7b8631 Press it once, and svc': [
      ...by(interrupt, '%s ends the run with 130, and the next one goes on'),
      ...by(processes, 'go back when a process ends by itself'),
    ],
    '592c41 When an asset or a': by(
      failures,
      'a failed asset takes its descendants with it; the others are built and kept for the next run',
      'a failed error test promotes nothing and keeps the green tables',
    ),
    '3d2fe8 Every run that you asked': [
      ...by(
        attemptedRuns,
        'has a row with its reason, its times, its trigger and its commit, and no assets',
        'is in the history as soon as a command has it: beside a run at work, or after settings were broken',
        '%o is told as %s',
      ),
      ...by(logs, 'is begun by every run that was asked for, a refused one too, and by nothing else'),
    ],
    'b00f0a A failed run decides nothing': [
      ...by(lockFile, 'fails its run and leaves nothing behind that the next run believes'),
      ...by(renewal, 'that fails decides nothing later, and a retry does not do again what it did'),
      ...by(textLayouts, 'decides nothing by a run that promoted nothing'),
    ],
    '5da78d Only one command at a': [
      ...by(selection, 'a second run at the same time says who is at work'),
      ...by(processes, 'are held by one at a time, per environment'),
    ],
    '3d72cf A second command prints these': by(
      interrupt,
      'a second command says who is at work, and ends with 3',
    ),
    '917e78 It asks before it promotes,': by(
      lostLease,
      'promotes nothing after its lease was taken, and says so, %s',
      'is no preview that can be promoted either where its lease was taken while it built',
    ),
    '0e3ec6 A publish asks before each': by(
      publishLostLease,
      'sends nothing more after another publish took its lease, and says so; what was not sent is in no doubt',
    ),
    '5f0f85 The end of every successful': [
      ...by(
        gc,
        'goes at the end of a run too',
        'drafts and spools of dead processes go, those of the living stay',
      ),
      ...by(
        rollback,
        'keeps what archives pin and drops the rest',
        'leaves no view dangling and no empty schema',
      ),
    ],
    '9a2afc Builds are kept that are': [
      ...by(
        rollback,
        'keeps what archives pin and drops the rest',
        'keeps what another environment shows, its preview and the last failed run',
      ),
      ...by(gc, 'a preview stays for seven days'),
      ...by(collectMeanwhile, 'a run of another environment and its build are no garbage at any moment'),
    ],
  },
  explains: [],
}
