/** The connection to the editor over two streams; ends the server when the editor exits. */
import {
  type Connection,
  createConnection,
  type InitializeParams,
  ProposedFeatures,
  type WatchDog,
} from 'vscode-languageserver'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import type { ServerWorld } from './world.ts'

const parentCheckMs = 3000

export interface Connected {
  readonly connection: Connection
  /** Resolves with the exit code: 0 after `shutdown`, otherwise 1. */
  readonly ended: Promise<number>
}

export function connect({ input, output, clientProcessId, isAlive, signal }: ServerWorld): Connected {
  let end = (_code: number): void => {}
  const ended = new Promise<number>(resolve => {
    end = resolve
  })
  let isShutDown = false
  let timer: NodeJS.Timeout | undefined
  const watchDog: WatchDog = {
    get shutdownReceived() {
      return isShutDown
    },
    set shutdownReceived(value) {
      isShutDown = value
    },
    initialize: ({ processId }: InitializeParams) => follow(processId),
    exit: code => end(code),
  }
  function follow(processId: number | null | undefined): void {
    if (typeof processId !== 'number') return
    clearInterval(timer)
    timer = setInterval(() => {
      if (!isAlive(processId)) leave()
    }, parentCheckMs)
  }
  const leave = () => end(isShutDown ? 0 : 1)
  follow(clientProcessId)
  input.on('end', leave)
  input.on('close', leave)
  output.on('error', leave)
  signal.addEventListener('abort', leave)
  void ended.then(() => clearInterval(timer))
  const connection = createConnection(
    logger =>
      createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
    ProposedFeatures.all,
  )
  return { connection, ended }
}
