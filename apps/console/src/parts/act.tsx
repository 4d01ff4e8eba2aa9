import { Button, Modal } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../api/session.ts'
import { isOutdated } from '../api/versions.ts'
import styles from './act.module.css'
import { FaultsContext, useFaults } from './faults.ts'
import { focusFirstField } from './first_field.ts'
import { useKeys } from './keys.ts'
import { NotDone } from './not_done.tsx'
import { doneText } from './said.ts'
import { useAction } from './use_action.ts'
import { useDialog } from './use_dialog.ts'
import { useSayWhenGone } from './use_say_when_gone.ts'

type ActProps<Answer> = {
  /** The button of the page, and the title of the dialog. */
  label: string
  /** The object that it acts on, if a page has many such buttons. */
  of?: string
  /** The effect of the action, in a sentence. */
  text?: ReactNode
  /** The fields; `act` reads what was typed. */
  children?: ReactNode
  /** One call, with the key of this press. It rejects with a Problem, which the dialog shows. */
  act: (key: string) => Promise<Answer>
  onDone?: (answer: Answer) => void
  /** The change that the action has made, in a sentence; by default its name and the status. */
  said?: (answer: Answer) => string
  /** The button that submits; by default the label. */
  submit?: string
  /** A single key that presses the button. */
  shortcut?: string
  isDangerous?: boolean
  isMain?: boolean
  onOpen?: () => void
  /** The changes of another person meanwhile; they stand in place of the 412. */
  meanwhile?: ReactNode
  /** Why there is nothing to send: the button that submits is off. */
  idle?: string | undefined
  /** The button that leaves; by default Cancel. */
  leave?: string | undefined
}

/** A long form would have it below its edge. */
const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/**
 * An action on an object: a button that opens a dialog, which asks, calls, and stays open where the
 * call failed. Everything that pages have read is read anew after it: no page guesses its effect.
 */
export function Act<Answer>(props: ActProps<Answer>) {
  const { label, of, text, children, act, onDone, onOpen, meanwhile, idle, submit } = props
  const { t } = useTranslation()
  const { isOpen, open, close, isClosed } = useDialog()
  const acting = useAction({
    act,
    said: (answer) =>
      props.said?.(answer) ?? doneText(of === undefined ? label : `${label}: ${of}`, answer),
    onDone: (answer: Answer) => {
      close()
      onDone?.(answer)
      void queries.invalidateQueries()
    },
  })
  const start = () => {
    if (!isClosed()) return
    acting.reset()
    onOpen?.()
    open()
  }
  // Until the answer is there, it is not known whether the change was made.
  const leave = () => {
    if (!acting.isBusy()) close()
  }
  const faults = useFaults(acting.error)
  useSayWhenGone(isOpen ? acting.error : null)
  const send = (event: FormEvent) => {
    event.preventDefault()
    // A dialog that is closing is still there for a press.
    if (!isClosed() && idle === undefined) acting.press()
  }
  const isTold = Boolean(meanwhile) && isOutdated(acting.error)
  return (
    <>
      <Opener {...props} start={start} />
      <Modal
        opened={isOpen}
        onClose={leave}
        title={label}
        closeButtonProps={{ 'aria-label': t('actions.close'), disabled: acting.isPending }}
      >
        <form
          ref={focusFirstField}
          onSubmit={send}
          onInput={acting.hold}
          className={styles['form']}
        >
          {text !== undefined && <p className={styles['text']}>{text}</p>}
          <FaultsContext value={faults}>{children}</FaultsContext>
          {meanwhile}
          {acting.error !== null && !isTold && (
            <div ref={show}>
              <NotDone of={acting} besides={faults.shown} />
            </div>
          )}
          <div className={styles['buttons']}>
            {idle !== undefined && <p className={styles['idle']}>{idle}</p>}
            <Button variant="default" onClick={leave} disabled={acting.isPending}>
              {props.leave ?? t('actions.cancel')}
            </Button>
            <Button
              type="submit"
              {...(props.isDangerous && { color: 'red' })}
              loading={acting.isPending}
              disabled={idle !== undefined}
            >
              {submit ?? label}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  )
}

type OpenerProps = Pick<ActProps<never>, 'label' | 'of' | 'shortcut' | 'isMain' | 'isDangerous'> & {
  start: () => void
}

function Opener({ label, of, shortcut, isMain, isDangerous, start }: OpenerProps) {
  useKeys(shortcut === undefined ? {} : { [shortcut]: start })
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      onClick={start}
      data-action="dialog"
      aria-keyshortcuts={shortcut}
      rightSection={
        shortcut && (
          <span aria-hidden className={styles['key']}>
            {shortcut}
          </span>
        )
      }
      className={isDangerous ? styles['dangerous'] : undefined}
      aria-label={of === undefined ? undefined : `${label}: ${of}`}
    >
      {label}
    </Button>
  )
}
