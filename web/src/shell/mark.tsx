/** The logo: two sides and what is between them. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <g fill="none" className="stroke-primary-foreground" strokeWidth="2.6" strokeLinecap="round">
        <path d="M9 9.5v13" />
        <path d="M23 9.5v13" />
        <path d="M9 16h14" opacity=".55" />
      </g>
      <circle cx="16" cy="16" r="3.4" className="fill-primary-foreground" />
    </svg>
  );
}
