/** Paths of dialects, which may have parameters: `/v1/sessions/{id}/unified`. */

/** Whether the path of a request lies under the path of a dialect. */
export function isUnder(path: string, base: string): boolean {
  const segments = segmentsOf(path);
  return segmentsOf(base).every((segment, index) => {
    const given = segments[index];
    return given === segment || (given !== undefined && given !== "" && isParameter(segment));
  });
}

/** Whether a route was defined under a path: it has the same segments, and parameters in the same places. */
export function isDefinedUnder(route: string, base: string): boolean {
  const segments = segmentsOf(route);
  return segmentsOf(base).every((segment, index) => {
    const other = segments[index];
    return other === segment || (other !== undefined && isParameter(segment) && isParameter(other));
  });
}

/** Whether a request can match the route and lie under the path. */
export function canMatchUnder(route: string, base: string): boolean {
  const segments = segmentsOf(route);
  const bases = segmentsOf(base);
  return segments.length >= bases.length && areCompatible(segments, bases);
}

/** Whether a request can lie under both paths. */
export function canOverlap(one: string, other: string): boolean {
  return areCompatible(segmentsOf(one), segmentsOf(other));
}

/** Equal for routes that match the same requests, whatever their parameters are called. */
export function shapeOf(path: string): string {
  return segmentsOf(path)
    .map((segment) => (isParameter(segment) ? "{}" : segment))
    .join("/");
}

/** As far as both go. */
function areCompatible(one: readonly string[], other: readonly string[]): boolean {
  return one.every((segment, index) => {
    const against = other[index];
    return against === undefined || against === segment || isParameter(segment) || isParameter(against);
  });
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
