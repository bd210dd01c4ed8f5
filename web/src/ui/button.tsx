import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const LOOKS = {
  primary: "bg-primary text-primary-foreground hover:bg-primary/90 shadow-xs",
  plain: "border border-input bg-raised text-foreground hover:bg-hover shadow-xs",
  ghost: "text-soft hover:bg-hover hover:text-foreground",
  dangerous: "border border-transparent bg-danger text-white hover:bg-danger/90 shadow-xs",
  danger: "border border-danger-border bg-raised text-danger-text hover:bg-danger-soft shadow-xs",
};

const SIZES = {
  small: "h-6.5 gap-1.5 rounded-md px-2 text-xs touch:h-10 touch:min-w-10 touch:px-3",
  normal: "h-8 gap-1.5 rounded-md px-3 text-[0.8125rem] touch:h-10 touch:px-4",
  icon: "size-7.5 justify-center rounded-md touch:size-10",
};

interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
}

export function Button({ look = "plain", size = "normal", className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classNames(
        "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium transition-colors",
        "disabled:pointer-events-none disabled:opacity-45 [&_svg]:size-3.5 [&_svg]:shrink-0",
        LOOKS[look],
        SIZES[size],
        size === "icon" && "[&_svg]:size-4",
        className,
      )}
      {...rest}
    />
  );
}

interface IconButtonProps extends Omit<ButtonProps, "size"> {
  icon: LucideIcon;
  /** What it does, for screen readers. */
  label: string;
}

/** A button without words. */
export function IconButton({ icon: Icon, label, children, ...rest }: IconButtonProps) {
  return (
    <Button look="ghost" size="icon" aria-label={label} {...rest}>
      <Icon />
      {children}
    </Button>
  );
}
