import { useCallback, useEffect, useRef, useState } from 'react'
import { queries } from '../../api/session.ts'
import { Run, type RunSettings, type RunState } from './run.ts'

/** A chart that is drawn more often than this helps no one. */
const DRAWN_EVERY_MS = 250

/** The run of the page. It stops when the page is left. */
export function useRun() {
  const [state, setState] = useState<RunState>()
  const run = useRef<Run>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    run.current?.stop()
  }, [])
  useEffect(() => leave, [leave])
  const start = useCallback(
    (settings: RunSettings) => {
      leave()
      let newest: RunState
      const draw = () => {
        timer.current = undefined
        setState(newest)
      }
      const begun = new Run(settings, (changed) => {
        if (run.current !== begun) return
        const isTurn = changed.phase !== newest?.phase
        newest = changed
        // A button that was pressed changes at once.
        if (isTurn) setState(changed)
        else timer.current ??= setTimeout(draw, DRAWN_EVERY_MS)
      })
      run.current = begun
      void begun.start().then(() => queries.invalidateQueries())
    },
    [leave],
  )
  const pause = useCallback(() => run.current?.pause(), [])
  const resume = useCallback(() => run.current?.resume(), [])
  const stop = useCallback(() => run.current?.stop(), [])
  return { state, start, pause, resume, stop }
}
