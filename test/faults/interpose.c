/*
 * Fails system calls on the files below a directory, as a broken disk does. Loaded with LD_PRELOAD into a daemon.
 *
 * FAULT_DIRECTORY   the files it is about
 * FAULT_CONTROL     a file that says what fails: "CALL NTH TIMES ERRNO", where ERRNO 0 is a short read or write.
 *                   It is read at the first call after it was changed; an empty one lifts the fault.
 * FAULT_REPORT      a file that gets a line for each call that failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char call_name[32];
static long nth, times, count;
static int number;
static struct timespec changed;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void read_control(void) {
  const char *path = getenv("FAULT_CONTROL");
  struct stat info;
  if (!path || stat(path, &info) != 0) return;
  if (info.st_mtim.tv_sec == changed.tv_sec && info.st_mtim.tv_nsec == changed.tv_nsec) return;
  changed = info.st_mtim;
  count = 0;
  call_name[0] = 0;
  char text[128] = {0};
  int file = REAL(open)(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (REAL(read)(file, text, sizeof text - 1) > 0)
    if (sscanf(text, "%31s %ld %ld %d", call_name, &nth, &times, &number) != 4) call_name[0] = 0;
  close(file);
}

static void report(const char *call, const char *path) {
  const char *name = getenv("FAULT_REPORT");
  if (!name) return;
  char line[600];
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  int file = REAL(open)(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (REAL(write)(file, line, (size_t)length) < 0) errno = 0;
  close(file);
}

/* Whether this call fails now. */
static int fails(const char *call, const char *path) {
  const char *directory = getenv("FAULT_DIRECTORY");
  if (!directory || strncmp(path, directory, strlen(directory)) != 0) return 0;
  int saved = errno;
  pthread_mutex_lock(&lock);
  read_control();
  int hit = 0;
  if (strcmp(call, call_name) == 0) {
    count += 1;
    hit = count >= nth && count < nth + times;
  }
  pthread_mutex_unlock(&lock);
  if (hit) report(call, path);
  errno = saved;
  return hit;
}

static int fails_file(const char *call, int file) {
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return fails(call, path);
}

#define FAIL return errno = number, -1

ssize_t pread64(int file, void *data, size_t size, off64_t at) {
  if (fails_file("pread64", file)) {
    if (number != 0) FAIL;
    size /= 2;
  }
  return REAL(pread64)(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
  if (fails_file("pwrite64", file)) {
    if (number != 0) FAIL;
    size /= 2;
  }
  return REAL(pwrite64)(file, data, size, at);
}

ssize_t read(int file, void *data, size_t size) {
  if (fails_file("read", file)) {
    if (number != 0) FAIL;
    size /= 2;
  }
  return REAL(read)(file, data, size);
}

ssize_t write(int file, const void *data, size_t size) {
  if (fails_file("write", file)) {
    if (number != 0) FAIL;
    size /= 2;
  }
  return REAL(write)(file, data, size);
}

int fsync(int file) {
  if (fails_file("fsync", file)) FAIL;
  return REAL(fsync)(file);
}

int fdatasync(int file) {
  if (fails_file("fdatasync", file)) FAIL;
  return REAL(fdatasync)(file);
}

int ftruncate64(int file, off64_t size) {
  if (fails_file("ftruncate64", file)) FAIL;
  return REAL(ftruncate64)(file, size);
}

/* A process more than there may be. It is about no file. */
pid_t fork(void) {
  const char *directory = getenv("FAULT_DIRECTORY");
  if (directory && fails("fork", directory)) FAIL;
  return REAL(fork)();
}

int rename(const char *from, const char *to) {
  if (fails("rename", from)) FAIL;
  return REAL(rename)(from, to);
}

int unlink(const char *path) {
  if (fails("unlink", path)) FAIL;
  return REAL(unlink)(path);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (fails("open", path)) FAIL;
  return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (fails("open", path)) FAIL;
  return REAL(open64)(path, flags, mode);
}
