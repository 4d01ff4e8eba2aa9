import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queries } from '../api/session.ts'
import styles from './act.module.css'
import { Failing } from './failing.tsx'
import { focusFirstField } from './first_field.ts'
import outcomes from './rehearse.module.css'

type RehearseProps<Answer> = {
  /** The button of the page, and the title of the dialog. */
  label: string
  text: ReactNode
  /** The fields; `act` reads what was typed. */
  children: ReactNode
  /** One call: a dry run, which changes nothing, and afterwards the same for real. */
  act: (dry_run: boolean) => Promise<Answer>
  /** What the answer says of the state afterwards. */
  outcome: (answer: Answer) => ReactNode
  onDone?: (answer: Answer) => void
  isMain?: boolean
}

/** An action with two steps: it shows what would happen, and does it when that is confirmed. */
export function Rehearse<Answer>(props: RehearseProps<Answer>) {
  const { label, text, children, act, outcome, onDone, isMain = false } = props
  const [isOpen, { open, close }] = useDisclosure()
  const { t } = useTranslation()
  const rehearsing = useMutation({ mutationFn: () => act(true) })
  const acting = useMutation({
    mutationFn: () => act(false),
    onSuccess: async (answer) => {
      close()
      onDone?.(answer)
      await queries.invalidateQueries()
    },
  })
  const back = () => {
    rehearsing.reset()
    acting.reset()
  }
  const start = () => {
    back()
    open()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (rehearsing.data === undefined) rehearsing.mutate()
    else acting.mutate()
  }
  const error = rehearsing.error ?? acting.error
  const found = rehearsing.data
  const isRehearsed = found !== undefined
  return (
    <>
      <Button variant={isMain ? 'filled' : 'default'} onClick={start}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <form ref={focusFirstField} onSubmit={send} className={styles['form']}>
          {found !== undefined ? (
            <Outcome>{outcome(found)}</Outcome>
          ) : (
            <>
              <p className={styles['text']}>{text}</p>
              {children}
            </>
          )}
          {error && <Failing title={t('states.rejected')} error={error} />}
          <div className={styles['buttons']}>
            <Button variant="default" onClick={isRehearsed ? back : close}>
              {isRehearsed ? t('rehearse.back') : t('actions.cancel')}
            </Button>
            <Button type="submit" loading={rehearsing.isPending || acting.isPending}>
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
