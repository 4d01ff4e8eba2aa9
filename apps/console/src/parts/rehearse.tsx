import { Button, Modal } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../api/session.ts'
import styles from './act.module.css'
import { Failing } from './failing.tsx'
import { FaultsContext, useFaults } from './faults.ts'
import { focusFirstField } from './first_field.ts'
import { NotDone } from './not_done.tsx'
import outcomes from './rehearse.module.css'
import { doneText } from './said.ts'
import { useAction } from './use_action.ts'
import { useDialog } from './use_dialog.ts'
import { useSayWhenGone } from './use_say_when_gone.ts'

type RehearseProps<Answer> = {
  /** The button of the page, and the title of the dialog. */
  label: string
  text: ReactNode
  /** The fields; `act` reads what was typed. */
  children: ReactNode
  /** One call: a dry run, which changes nothing, and afterwards the same for real. */
  act: (dry_run: boolean, key: string) => Promise<Answer>
  /** The state afterwards, as the answer has it. */
  outcome: (answer: Answer) => ReactNode
  onDone?: (answer: Answer) => void
  isMain?: boolean
}

/** An action with two steps: it shows what would happen, and does it when that is confirmed. */
export function Rehearse<Answer>(props: RehearseProps<Answer>) {
  const { label, text, children, act, outcome, onDone, isMain = false } = props
  const { isOpen, open, close, isClosed } = useDialog()
  const { t } = useTranslation()
  const rehearsing = useAction({ act: (key) => act(true, key) })
  const acting = useAction({
    act: (key) => act(false, key),
    said: (answer) => doneText(label, answer),
    onDone: (answer: Answer) => {
      close()
      onDone?.(answer)
      void queries.invalidateQueries()
    },
  })
  const isBusy = () => rehearsing.isBusy() || acting.isBusy()
  const back = () => {
    if (isBusy()) return
    rehearsing.reset()
    acting.reset()
  }
  const start = () => {
    if (!isClosed()) return
    back()
    open()
  }
  const leave = () => {
    if (!isBusy()) close()
  }
  const found = rehearsing.data
  const isRehearsed = found !== undefined
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isClosed() || isBusy()) return
    if (isRehearsed) acting.press()
    else rehearsing.press()
  }
  const hold = () => {
    rehearsing.hold()
    acting.hold()
  }
  const faults = useFaults(rehearsing.error)
  useSayWhenGone(isOpen ? acting.error : null)
  const isPending = rehearsing.isPending || acting.isPending
  return (
    <>
      <Button variant={isMain ? 'filled' : 'default'} onClick={start} data-action="rehearsal">
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={leave}
        title={label}
        closeButtonProps={{ 'aria-label': t('actions.close'), disabled: isPending }}
      >
        <form ref={focusFirstField} onSubmit={send} onInput={hold} className={styles['form']}>
          {found !== undefined ? (
            // The rehearsed result is out of date once the change may have been made.
            !acting.isInDoubt && <Outcome>{outcome(found)}</Outcome>
          ) : (
            <>
              <p className={styles['text']}>{text}</p>
              <FaultsContext value={faults}>{children}</FaultsContext>
            </>
          )}
          {rehearsing.error !== null && (
            <Failing
              title={t('states.rejected')}
              error={rehearsing.error}
              besides={faults.shown}
              {...(rehearsing.again && { retry: rehearsing.again })}
              isAlone
            />
          )}
          <NotDone of={acting} />
          <div className={styles['buttons']}>
            <Button variant="default" onClick={isRehearsed ? back : leave} disabled={isPending}>
              {isRehearsed ? t('rehearse.back') : t('actions.cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {isRehearsed ? label : t('rehearse.check')}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  )
}

/** Takes the focus, so that a reader of the screen hears the result of the check. */
function Outcome({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  useEffect(() => region.current?.focus(), [])
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('rehearse.title')}
      className={outcomes['outcome']}
    >
      <strong>{t('rehearse.title')}</strong>
      <p className={styles['text']}>{t('rehearse.text')}</p>
      {children}
    </section>
  )
}
