import { useEffect, useState } from 'react'
import { isShown, openSource, type Source } from './sources.ts'
import type { ViewedFile } from './viewer.tsx'

/**
 * Opens a file, and closes it where another follows. Its bytes are read once: they do not change,
 * so no action of the page reads them anew.
 */
export function useSource(file: ViewedFile | undefined, read: (id: string) => Promise<Blob>) {
  const [source, setSource] = useState<Source>()
  const [fault, setFault] = useState<unknown>()
  const [tries, setTries] = useState(0)
  const { id, content_type = '', scan_status = 'CLEAN' } = file ?? {}
  const isOpenable = id !== undefined && scan_status === 'CLEAN' && isShown(content_type)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is another one at each render.
  useEffect(() => {
    setSource(undefined)
    setFault(undefined)
    if (!isOpenable) return
    let isWanted = true
    let kept: Source | undefined
    read(id)
      .then((bytes) => openSource(bytes, content_type))
      .then(
        (opened) => {
          kept = opened
          if (isWanted) setSource(opened)
          else opened.close()
        },
        (error) => isWanted && setFault(error),
      )
    return () => {
      isWanted = false
      kept?.close()
    }
  }, [id, isOpenable, content_type, tries])
  return { source, fault, setFault, retry: () => setTries(tries + 1) }
}
