import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Loaded when it is first opened: no list needs it before. */
const load = async () => ({ default: (await import('./download_menu.tsx')).DownloadMenu })
const Opened = lazy(load)

type DownloadButtonProps = { label: string; isPending: boolean; onClick: () => void }

/** Downloads a file, and has beside it how files are written. */
export function DownloadButton({ label, isPending, onClick }: DownloadButtonProps) {
  const { t } = useTranslation()
  const [isWanted, setWanted] = useState(false)
  const opener = (
    <Button
      variant="default"
      px="xs"
      aria-label={t('downloads.downloads')}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <IconChevronDown size={16} aria-hidden />
    </Button>
  )
  return (
    <Button.Group>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={isPending}
        onClick={onClick}
      >
        {label}
      </Button>
      {isWanted ? (
        <Suspense fallback={opener}>
          <Opened />
        </Suspense>
      ) : (
        opener
      )}
    </Button.Group>
  )
}
