import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from './empty.tsx'

/** Takes the place of a list of which the filters leave nothing; `names` are those of the address. */
export function NoFit({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const clear = () => {
    const others = Object.entries(search).filter(([name]) => !names.includes(name))
    void navigate({ to: '.', search: Object.fromEntries(others), replace: true })
  }
  return (
    <Empty
      icon={IconFilterOff}
      title={t('filters.no_fit')}
      text={t('filters.no_fit_text')}
      action={
        <Button variant="default" size="xs" onClick={clear}>
          {t('filters.clear')}
        </Button>
      }
    />
  )
}
