import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Act } from '../act.tsx'
import { NativeSelect, TextInput } from '../fields.tsx'
import { ShownOnce } from '../shown_once.tsx'
import type { HookCalls } from './hook.ts'

type HookActionsProps<Kind extends string> = {
  isActive: boolean
  calls: HookCalls<Kind>
  /** Kinds of events that may have been missed. */
  kinds: readonly Kind[]
  /** The dialog that changes it. */
  change: ReactNode
  /** The page that follows once it is deleted. */
  list: string
}

/** The actions that its status and the member's role permit. */
export function HookActions<Kind extends string>(props: HookActionsProps<Kind>) {
  const { isActive, calls, kinds, change, list } = props
  const { ping, recover, rotate, enable, remove } = calls
  return (
    <>
      {isActive && ping && <Ping act={ping} />}
      {isActive && recover && <Recover act={recover} kinds={kinds} />}
      {rotate && <Rotate act={rotate} />}
      {change}
      {enable && <Switch act={enable} isActive={isActive} />}
      {remove && <Remove act={remove} list={list} />}
    </>
  )
}

function Ping({ act }: { act: (key: string) => Promise<unknown> }) {
  const { t } = useTranslation()
  return <Act label={t('webhooks.ping')} text={t('webhooks.ping_text')} act={act} isMain />
}

const DAY_MS = 86_400_000

/** An instant as an input of the browser takes it: the reader's own clock, to the minute. */
function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

type RecoverProps<Kind extends string> = {
  act: Exclude<HookCalls<Kind>['recover'], false | undefined>
  kinds: readonly Kind[]
}

function Recover<Kind extends string>({ act, kinds }: RecoverProps<Kind>) {
  const { t } = useTranslation()
  const [since, setSince] = useState(() => localText(new Date(Date.now() - DAY_MS)))
  const [kind, setKind] = useState<Kind>()
  const [found, setFound] = useState<number>()
  return (
    <>
      <Act
        label={t('webhooks.recover')}
        text={t('webhooks.recover_text')}
        act={(key) =>
          act(key, { since: new Date(since).toISOString(), ...(kind && { events: [kind] }) })
        }
        onDone={({ recovered }) => setFound(recovered)}
      >
        <TextInput
          path="since"
          type="datetime-local"
          label={t('webhooks.since')}
          required
          withAsterisk={false}
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <NativeSelect
          label={t('events.kind')}
          value={kind ?? ''}
          data={[{ value: '', label: t('filters.all') }, ...kinds]}
          onChange={({ currentTarget: { value } }) => setKind(kinds.find((one) => one === value))}
        />
      </Act>
      {found !== undefined && <p role="status">{t('webhooks.recovered', { count: found })}</p>}
    </>
  )
}

function Rotate({ act }: { act: (key: string) => Promise<{ secret: string }> }) {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <Act
        label={t('webhooks.rotate')}
        text={t('webhooks.rotate_text')}
        act={act}
        onDone={(answer) => setSecret(answer.secret)}
      />
      <Secret value={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

type SecretProps = { value: string | undefined; onClose: () => void }

/** The secret of a server, shown this once. */
export function Secret({ value, onClose }: SecretProps) {
  const { t } = useTranslation()
  return (
    <ShownOnce
      title={t('webhooks.secret_title')}
      text={t('webhooks.secret_text')}
      label={t('webhooks.secret')}
      value={value}
      onClose={onClose}
    />
  )
}

type SwitchProps = { act: (isEnabled: boolean) => Promise<unknown>; isActive: boolean }

/** The other of the two statuses. */
function Switch({ act, isActive }: SwitchProps) {
  const { t } = useTranslation()
  return (
    <Act
      label={isActive ? t('webhooks.disable') : t('webhooks.enable')}
      text={isActive ? t('webhooks.disable_text') : t('webhooks.enable_text')}
      act={() => act(!isActive)}
      isDangerous={isActive}
    />
  )
}

function Remove({ act, list }: { act: () => Promise<unknown>; list: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Act
      label={t('webhooks.delete')}
      text={t('webhooks.delete_text')}
      act={act}
      onDone={() => void navigate({ to: list })}
      isDangerous
    />
  )
}
