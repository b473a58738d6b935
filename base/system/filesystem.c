/* Network file systems by the magic numbers of statfs(2), <linux/magic.h>. Linux only: on other
 * systems every file counts as local. */
#include "base/system/filesystem.h"

#ifdef __linux__
#include <sys/vfs.h>

static const unsigned long network[] = {
	0x6969,     /* NFS */
	0x517b,     /* SMB */
	0xfe534d42, /* SMB 2 */
	0xff534d42, /* CIFS */
	0x01021997, /* 9P */
	0x5346414f, /* AFS */
	0x00c36400, /* Ceph */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
	0x19830326, /* BeeGFS */
	0x65735546, /* FUSE: sshfs and other remote ones look the same as local ones */
};

bool filesystem_is_local(const char *path)
{
	struct statfs status;
	if (statfs(path, &status) < 0)
		return true;
	for (size_t i = 0; i < sizeof network / sizeof *network; i++)
		if (((unsigned long)status.f_type & 0xffffffff) == network[i])
			return false;
	return true;
}
#else
bool filesystem_is_local(const char *path)
{
	(void)path;
	return true;
}
#endif
