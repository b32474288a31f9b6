/** Section 4.3 of the contract: the dashboard of `svc ui`. */
import { by, type ContractEntry, section } from './held.ts'

const look = 'dashboard/look.journey.ts'
const run = 'dashboard/run.journey.ts'
const stream = 'cli/dashboard/stream.test.ts'

export const dashboard: readonly ContractEntry[] = section('4.3', {
  'svc ui serves it on this machine.': by('cli/ui.test.ts', 'prints the address alone on stdout'),
  'Its calls are GET.': by('cli/dashboard/security.test.ts', 'with another method is refused'),
  'api/catalog.json has the catalogue; left open, its shape: that of svc schema.': by(
    'cli/dashboard/protocol.test.ts',
    'before a run and after one are as svc schema says',
  ),
  'api/quality.json has the quality while the dashboard runs.': by(
    stream,
    'is told when a run has written the catalogue',
  ),
  'api/stream/run runs an asset and streams its lines; left open, the framing: events with ids.': by(
    stream,
    'tells its lines, the marks of its assets and its end, in order',
  ),
  'The page has a graph of assets and exposures, coloured by kind, with dependencies as edges.': [
    ...by('webview/graph/model.test.ts', 'has assets and each exposure once'),
    ...by('webview/graph/browser.test.ts', 'filters by its legend'),
    ...by('webview/graph/drawing.test.ts', 'is every card and curve in view, with words and marks'),
  ],
  'A click selects a node, a drag moves it, the wheel zooms.': by(
    look,
    'selects by a click, moves a card by a drag, zooms by the wheel',
  ),
  'A bar above has the count of columns left out and that of active assets.': [
    ...by(look, 'opens with the token, keeps it to itself, and says what there is'),
    ...by('cli/excluded-columns.test.ts', '%s'),
  ],
  'A drawer has overview, code as written and as compiled, and what is upstream and downstream.': by(
    look,
    'shows what is selected in the drawer, with its code and its tests',
  ),
  'A palette opens by a key or the search, finds by name and description, and is used by keys.': [
    ...by(look, 'finds assets by name and by what they are about, from the keyboard alone'),
    ...by('webview/app/browser.test.ts', 'finds, opens and reads an asset by keys alone'),
  ],
  'An asset has tabs: overview, code, and quality with results, durations, share and last run.': by(
    look,
    'shows what is selected in the drawer, with its code and its tests',
  ),
  'A button runs the asset alone, with what is upstream, or with what is downstream.': by(
    run,
    'is started in three modes, each with its selector',
  ),
  'A run opens a view with its lines as they come.': by(
    run,
    'is shown live: marks in the graph, lines in colours, found, copied, saved',
  ),
})
