import { Button as AriaButton } from 'react-aria-components/Button';
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
}

/** A button, whose text is a verb. */
export function Button({ children, onPress, kind = 'main', icon, isBusy, isDisabled, type }: ButtonProps) {
  return (
    <AriaButton
      className={classNames('button', kind)}
      isPending={isBusy}
      isDisabled={isDisabled}
      onPress={onPress}
      type={type ?? 'button'}
    >
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
