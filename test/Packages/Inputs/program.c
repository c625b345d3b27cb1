#include <acis_client.h>
#include <acis_control.h>
#include <acis_handler.h>
#include <acis_model.h>
#include <acis_near.h>
#include <stdio.h>

int main(void) {
  const char *error;
  return acis_near_open("nowhere", 1, "", 0, 1, &error) ? 1 : !printf("%s\n", error);
}
