/**
 * Moves the camera: at once if motion is unwanted, otherwise with a short animation. Independent of the DOM;
 * it requests frames from its owner.
 */
import { between, type Camera } from './camera.ts'

const flightMs = 150

export interface Motion {
  camera(): Camera
  /** Sets the camera at once; ends an animation. */
  put(camera: Camera): void
  flyTo(target: Camera): void
  /** Calls `step` with 0 to 1 in the next frames; it may set the camera with `nudge`. */
  animate(step: (part: number) => void): void
  /** Sets the camera during `animate`. */
  nudge(camera: Camera): void
  /** Runs one frame. Returns true if another one is needed. */
  tick(time: number): boolean
}

/** `ask` requests a frame; `isStill` returns whether motion is unwanted. */
export function makeMotion(first: Camera, ask: () => void, isStill: () => boolean): Motion {
  let camera = first
  let flight: { step(part: number): void; start: number | undefined } | undefined

  function animate(step: (part: number) => void): void {
    land()
    flight = { step, start: undefined }
    ask()
  }

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
    camera: () => camera,
    put,
    animate,
    flyTo(target) {
      const from = camera
      if (isStill()) put(target)
      else
        animate(part => {
          camera = between(from, target, part)
        })
    },
    nudge(next) {
      camera = next
    },
    tick(time) {
      if (flight === undefined) return false
      flight.start ??= time
      const part = Math.min(1, (time - flight.start) / flightMs)
      flight.step(part)
      if (part >= 1) flight = undefined
      return flight !== undefined
    },
  }
}
