/**
 * Moves the camera: at once if motion is unwanted, otherwise with a short animation. Independent of the DOM;
 * it requests frames from its owner.
 */
import { between, type Camera } from './camera.ts'

const flightMs = 150

export type Motion = ReturnType<typeof makeMotion>

/** `ask` requests a frame; `isStill` returns whether motion is unwanted. */
export function makeMotion(first: Camera, ask: () => void, isStill: () => boolean) {
  let camera = first
  let flight: { step(part: number): void; start: number | undefined } | undefined

  /** Calls `step` with 0 to 1 in the next frames; it may set the camera with `nudge`. */
  function animate(step: (part: number) => void): void {
    land()
    flight = { step, start: undefined }
    ask()
  }

  /** Sets the camera at once; ends an animation. */
  function put(next: Camera): void {
    land()
    camera = next
    ask()
  }

  /** Ends an animation at its target; the camera stays where it is. */
  function land(): void {
    const [landing, kept] = [flight, camera]
    flight = undefined
    landing?.step(1)
    camera = kept
  }

  return {
    camera: (): Camera => camera,
    put,
    animate,
    flyTo(target: Camera): void {
      const from = camera
      if (isStill()) put(target)
      else
        animate(part => {
          camera = between(from, target, part)
        })
    },
    /** Sets the camera during `animate`. */
    nudge(next: Camera): void {
      camera = next
    },
    /** Runs one frame. Returns true if another one is needed. */
    tick(time: number): boolean {
      if (flight === undefined) return false
      flight.start ??= time
      const part = Math.min(1, (time - flight.start) / flightMs)
      flight.step(part)
      if (part >= 1) flight = undefined
      return flight !== undefined
    },
  }
}
