/** A dialog that asks before a change. */

import { useDisclosure } from '@mantine/hooks'
import { useRef } from 'react'

type Dialog = {
  isOpen: boolean
  open: () => void
  close: () => void
  /** Known at once: a dialog that is closing is still on the page for a press. */
  isClosed: () => boolean
}

export function useDialog(): Dialog {
  const [isOpen, { open, close }] = useDisclosure()
  const isClosed = useRef(true)
  return {
    isOpen,
    open: () => {
      isClosed.current = false
      open()
    },
    close: () => {
      isClosed.current = true
      close()
    },
    isClosed: () => isClosed.current,
  }
}
