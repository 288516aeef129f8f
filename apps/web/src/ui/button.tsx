import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import { Icon, type IconName } from './icon.js';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  /** `main` once on a page; `quiet` for what is less likely; `danger` for what cannot be undone. */
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Keeps its focus, and ignores presses until the work is done. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly type?: 'submit';
  /** The name for screen readers, where the text alone does not say what the button is for. It begins with the text. */
  readonly label?: string;
}

/** A button, whose text is a verb. While it is busy it keeps its focus and does nothing. */
export function Button({
  children,
  onPress,
  kind = 'main',
  icon,
  isBusy,
  isDisabled,
  type,
  label,
}: ButtonProps) {
  return (
    <button
      aria-label={label}
      className={classNames('button', kind)}
      data-busy={isBusy || undefined}
      disabled={isDisabled}
      onClick={isBusy ? undefined : onPress}
      type={isBusy ? 'button' : (type ?? 'button')}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
